import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readJavaTrace } from './java-trace.ts'

const summarize = (text: string, options?: { isTrace: boolean }) => {
  const trace = readJavaTrace(text, options)
  return trace && [trace.exceptions.map(({ type, message }) => `${type}|${message}`), trace.frames.length]
}

describe('a trace of Java', () => {
  for (const [name, text, expected] of [
    ['has an exception without a package', 'ab: gone\n\tat ac.b(SourceFile:3)\n', [['ab|gone'], 1]],
    ['has an exception without a package or a message', 'ab\n\tat ac.b(SourceFile:3)\n', [['ab|null'], 1]],
    [
      'has a cause without a package, whose frames are not those of the exception before',
      'java.lang.RuntimeException: outer\n\tat a.b(F:1)\n\tat c.d(F:2)\n' +
        'Caused by: ab: gone\n\tat e.f(F:3)\n\t... 2 more',
      [['java.lang.RuntimeException|outer', 'ab|gone'], 1],
    ],
    [
      'has causes without a message',
      'x: 1\n\tat a.b(F:1)\nCaused by: y\n\tat c.d(F:1)\nCaused by: z\n\t... 1 more\n',
      [['x|1', 'y|null', 'z|null'], 1],
    ],
    [
      'begins with the thread, as the Java runtime prints it',
      'Exception in thread "main" ab: gone\n\tat a.b(F:1)',
      [['ab|gone'], 1],
    ],
    [
      'comes from Play Console',
      'Exception java.lang.RuntimeException:\n  at android.app.ActivityThread.main (ActivityThread.java:8)\n' +
        'Caused by ab: gone\n  at a.b (SourceFile:1)\n  at c.d (SourceFile:2)\n',
      [['java.lang.RuntimeException|null', 'ab|gone'], 2],
    ],
    ['comes from Play Console without a package', 'Exception ab: gone\n  at a.b (SourceFile:1)\n', [['ab|gone'], 1]],
    [
      'comes from Crashlytics',
      '# Crashlytics - Stack trace\n# Application: com.example\n# Date: 2026-11-01\n\n' +
        'Fatal Exception: ab: gone\n       at a.b(SourceFile:1)\nCaused by java.lang.Error: x\n       at c.d(F:2)\n',
      [['ab|gone', 'java.lang.Error|x'], 1],
    ],
    [
      'comes from Crashlytics as an error that is not fatal',
      'Non-fatal Exception: java.io.IOException: late\n       at a.b(SourceFile:1)\n',
      [['java.io.IOException|late'], 1],
    ],
    [
      'stands in a log of threadtime',
      '11-21 10:00:00.000  12  12 I other: java.lang.Error: no\n' +
        '11-21 10:00:00.000  12  12 E AndroidRuntime: FATAL EXCEPTION: main\n' +
        '11-21 10:00:00.000  12  12 E AndroidRuntime: Process: com.example, PID: 12\n' +
        '11-21 10:00:00.000  12  12 E AndroidRuntime: ab: gone\n' +
        '11-21 10:00:00.000  12  12 D other: x: y\n' +
        '11-21 10:00:00.000  12  12 E AndroidRuntime: \tat a.b(F:1)\n' +
        '11-21 10:00:00.000  12  12 E AndroidRuntime: Caused by: cd\n' +
        '11-21 10:00:00.000  12  12 E AndroidRuntime: \tat c.d(F:1)\n',
      [['ab|gone', 'cd|null'], 1],
    ],
    ['has messages of several lines', 'ab: first\nsecond: line\nthird\n\tat a.b(F:1)\n', [['ab|first'], 1]],
    ['may follow other text', 'The user said:\n\nab: gone\n\tat a.b(F:1)\n', [['ab|gone'], 1]],
    ['may consist of frames', '\tat a.b(F:1)\n\tat c.d(F:1)\n', [[], 2]],
    [
      'ends where another begins',
      'ab: gone\n\tat a.b(F:1)\ncd: also\n\tat c.d(F:1)\n\tat c.e(F:1)\n',
      [['ab|gone'], 1],
    ],
    ['has names of any alphabet', 'Caused by: ß.λ: x\n\tat ß.µ.Ж(F:1)\n', [['ß.λ|x'], 1]],
    [
      'leaves out what was suppressed',
      'ab: gone\n\tat a.b(F:1)\n\tSuppressed: x: y\n\t\tat c.d(F:1)\n\t\tCaused by: z: 1\n\tat a.c(F:2)\n',
      [['ab|gone'], 2],
    ],
  ] as const) {
    it(name, () => assert.deepEqual(summarize(text), expected))
  }

  for (const text of [
    '',
    'Dear support, it crashed.',
    'Exception handling: a guide',
    'example.com',
    'Version: 1.2.3',
  ]) {
    it(`is not found in "${text}"`, () => assert.equal(summarize(text), undefined))
  }

  it('begins with any name if the text is known to be one', () => {
    assert.deepEqual(summarize('ab: gone', { isTrace: true }), [['ab|gone'], 0])
  })

  it('is found in bounded time', () => {
    for (const unit of ['a.', 'Exception ', 'Caused by: ', 'ab: x\n', '\tat a.b(\n', '/', ':'])
      readJavaTrace(unit.repeat(1_000_000 / unit.length))
  })
})
