/**
 * Reports whose reading costs much more than their size suggests. Each is as large as the server's limit for a report.
 */
const size = 16 * 2 ** 20

const repeat = (piece: string) => piece.repeat(Math.floor(size / piece.length))

export const hostileAppleReports = {
  'newlines after the head of the binary images': () => `Binary Images:\n${repeat('\n')}`,
  'carriage returns after the head of the binary images': () => `Binary Images:\n${repeat('\r')}`,
  'empty threads as JSON': () => `{"bug_type":"309"}\n{"threads":[${repeat('{},')}{}]}`,
  'empty images as JSON': () => `{"bug_type":"309"}\n{"usedImages":[${repeat('{},')}{}]}`,
  'nested JSON': () => `{"bug_type":"309"}\n{"threads":${repeat('[')}`,
  'an exception backtrace of one line': () => `Last Exception Backtrace:\n(${repeat('0x1 ')})`,
  'an exception backtrace of many lines': () => `Last Exception Backtrace:\n${repeat('0x1\n')}`,
  'an exception backtrace of long lines': () => `Last Exception Backtrace:\n${repeat(`${'0x1 '.repeat(10)}\n`)}`,
  'heads of threads': () => repeat('Thread 0 Crashed:                       \n'),
  'images with impossible ranges': () => `Binary Images:\n${repeat(`0x2 - 0x1 ${'n'.repeat(40)} arm64 <0>\n`)}`,
  'a long image name that all frames repeat': () => {
    const frames = '{"imageIndex":0,"imageOffset":1},'.repeat(20_000)
    const image = `{"base":4096,"size":99,"name":"${'n'.repeat(size - frames.length)}"}`
    return `{"bug_type":"309"}\n{"usedImages":[${image}],"threads":[{"frames":[${frames}{}]}]}`
  },
  'a single line': () => `Thread 0 Crashed:\n0 Shop ${repeat('0x')}`,
}

export const hostileAndroidReports = {
  newlines: () => `java.lang.Error\n${repeat('\n')}`,
  frames: () => `java.lang.Error: x\n${repeat('\tat aaaaaaaaaaaaaaaa.a.a(SourceFile:1)\n')}`,
  exceptions: () => repeat('Caused by: a.a: aaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n'),
  'a single line': () => `java.lang.Error: ${repeat('at a.a.a(')}`,
  'one word after another': () => repeat('aaaaaaaaa.'),
}
