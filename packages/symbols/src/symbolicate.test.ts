import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { detectPlatform, readReport, symbolicate, type SymbolicatedReport, SymbolsError } from './index.ts'
import { readSymbols } from './read-symbols.ts'
import type { SymbolicatedThread } from './symbolicated.ts'
import { sampleUuid, writeSampleArchive } from '../test/sample-app.ts'
import { createFolder } from '../test/temporary-folder.ts'

const base = 0x104d48000
const hex = (offset: number) => (base + offset).toString(16).padStart(16, '0')

function writeCrash(frames: string, { images = writeImages(), exception = '' } = {}): string {
  return `Incident Identifier: 1\nHardware Model: iPhone14,2\nCode Type: ARM-64\n${exception}
Thread 0 name:  Dispatch queue: main
Thread 0 Crashed:
${frames}

Thread 1:
0   Shop                          \t0x${hex(0x150)} 0x104d48000 + 336

Binary Images:
${images}
`
}

function writeImages(name = 'Shop', uuid = sampleUuid): string {
  return `       0x104d48000 -        0x104d67fff ${name} arm64  <${uuid.replaceAll('-', '').toLowerCase()}> /app/Shop
       0x1a0000000 -        0x1a03fffff UIKitCore arm64e  <7b942fa4cb7633759972f58c14492fb4> /System/UIKitCore`
}

const crashedFrames = `0   Shop                          \t0x${hex(0x130)} 0x104d48000 + 304
1   Shop                          \t0x${hex(0x180)} 0x104d48000 + 384
2   UIKitCore                     \t0x00000001a0000054 -[UIViewController viewDidLoad] + 84`

function writeIps(change: (body: Record<string, unknown>) => void = () => {}): string {
  const body = {
    bug_type: '309',
    procName: 'Shop',
    pid: 7,
    exception: { type: 'EXC_CRASH', signal: 'SIGABRT' },
    faultingThread: 0,
    lastExceptionBacktrace: [{ imageOffset: 0x1a0, imageIndex: 0 }],
    threads: [
      {
        id: 1,
        triggered: true,
        queue: 'main',
        frames: [
          { imageOffset: 0x130, imageIndex: 0 },
          { imageOffset: 0x180, imageIndex: 0 },
        ],
      },
      {
        id: 2,
        name: 'worker',
        frames: [{ imageOffset: 84, imageIndex: 1, symbol: 'objc_msgSend', symbolLocation: 32 }],
      },
    ],
    usedImages: [
      { base, size: 0x20000, uuid: sampleUuid.toLowerCase(), name: 'Shop', arch: 'arm64' },
      {
        base: 0x1a0000000,
        size: 0x400000,
        uuid: '7b942fa4-cb76-3375-9972-f58c14492fb4',
        name: 'UIKitCore',
        arch: 'arm64e',
      },
    ],
  }
  change(body)
  return `${JSON.stringify({ bug_type: '309', name: 'Shop' })}\n${JSON.stringify(body, undefined, 2)}\n`
}

async function symbolicateSample(text: string): Promise<SymbolicatedReport> {
  using folder = createFolder()
  const index = await readSymbols(folder.write('upload.zip', writeSampleArchive()), folder.path)
  const images = index.kind === 'dsym' ? index.images : []
  return await symbolicate(text, {
    findImage: ({ uuid }) => images.find((image) => image.uuid === uuid)?.lookupFile,
    findMapping: () => undefined,
  })
}

function summarize(thread: SymbolicatedThread | undefined): string[] {
  return (thread?.frames ?? []).map(
    ({ function: name, file, line, inlined }) => `${name} ${file}:${line}${inlined ? ' inlined' : ''}`,
  )
}

const crashedThread = [
  'round money.h:40 inlined',
  'Money::add(int) cart.cpp:31 inlined',
  'Cart::total() cart.cpp:12',
  'Cart::total() cart.cpp:14',
]

describe('a legacy crash report', () => {
  it('resolves the faulting frame at its address and others at the call before it, with inlined frames', async () => {
    const report = await symbolicateSample(writeCrash(crashedFrames))
    assert.equal(report.kind, 'apple')
    assert.deepEqual(summarize(report.threads[0]), [...crashedThread, '-[UIViewController viewDidLoad] null:null'])
    assert.equal(report.threads[0]?.crashed, true)
    assert.equal(report.threads[0]?.name, 'Dispatch queue: main')
    assert.deepEqual(summarize(report.threads[1]), ['Money::add(int) money.h:32 inlined', 'Cart::total() cart.cpp:12'])
  })

  it('is returned as text with its other lines unchanged', async () => {
    const text = writeCrash(crashedFrames)
    const report = await symbolicateSample(text)
    const lines = report.text.split('\n')
    assert.ok(lines.includes(`0   Shop                          \t0x${hex(0x130)} round [inlined] (money.h:40:7)`))
    assert.ok(lines.includes(`0   Shop                          \t0x${hex(0x130)} Cart::total() (cart.cpp:12:9)`))
    assert.ok(
      lines.includes('2   UIKitCore                     \t0x00000001a0000054 -[UIViewController viewDidLoad] + 84'),
    )
    const frames = new Set([
      ...crashedFrames.split('\n'),
      `0   Shop                          \t0x${hex(0x150)} 0x104d48000 + 336`,
    ])
    for (const line of text.split('\n')) if (!frames.has(line)) assert.ok(lines.includes(line), line)
  })

  it('gives the same answer for the text that it returned', async () => {
    const { text, threads } = await symbolicateSample(writeCrash(crashedFrames))
    const again = await symbolicateSample(text)
    assert.equal(again.text, text)
    assert.deepEqual(again.threads.map(summarize), threads.map(summarize))
  })

  it('may be partly resolved already, with inlined frames', async () => {
    const where = (offset: number) => `Shop                          \t0x${hex(offset)}`
    const report = await symbolicateSample(
      writeCrash(`0   ${where(0x130)} round + 0 (money.h:40) [inlined]
1   ${where(0x130)} Money::add(int) + 16 (cart.cpp:31) [inlined]
2   ${where(0x130)} Cart::total() + 48 (cart.cpp:12)
3   ${where(0x180)} Cart::total() + 128 (cart.cpp:14)
4   UIKitCore                     \t0x00000001a0000054 spin [inlined] (view.m:3:7)
4   UIKitCore                     \t0x00000001a0000054 -[UIView draw] + 84 (view.m:9)`),
    )
    assert.deepEqual(summarize(report.threads[0]), [
      ...crashedThread,
      'spin view.m:3 inlined',
      '-[UIView draw] view.m:9',
    ])
  })

  it('marks frames whose code belongs to no line', async () => {
    const report = await symbolicateSample(writeCrash(`0   Shop   \t0x${hex(0x194)} 0x104d48000 + 404`))
    assert.equal(report.threads[0]?.frames[0]?.line, 0)
    assert.match(report.text, /main \(cart\.cpp, compiler-generated\)/)
  })

  it('may have CRLF line endings', async () => {
    const report = await symbolicateSample(writeCrash(crashedFrames).replaceAll('\n', '\r\n'))
    assert.deepEqual(summarize(report.threads[0]).slice(0, 4), crashedThread)
  })

  it('may have image names with spaces', async () => {
    const frames = crashedFrames.replaceAll('Shop   ', 'My Shop')
    const report = await symbolicateSample(writeCrash(frames, { images: writeImages('My Shop') }))
    assert.equal(report.threads[0]?.frames[0]?.module, 'My Shop')
    assert.deepEqual(summarize(report.threads[0]).slice(0, 4), crashedThread)
  })

  it('may have addresses with pointer authentication codes', async () => {
    const signed = crashedFrames.replace(`0x${hex(0x130)}`, `0x0a3b80${hex(0x130).slice(6)}`)
    assert.notEqual(signed, crashedFrames)
    const report = await symbolicateSample(writeCrash(signed))
    assert.deepEqual(summarize(report.threads[0]).slice(0, 4), crashedThread)
    assert.equal(report.threads[0]?.frames[0]?.address, `0x${(base + 0x130).toString(16)}`)
  })

  it('resolves its last exception backtrace in both forms and lists it after the threads', async () => {
    const addresses = `Last Exception Backtrace:\n(0x${hex(0x1a4)} 0x${hex(0x150)})\n`
    const lines =
      'Last Exception Backtrace:\n' +
      `0   Shop   \t0x${hex(0x1a4)} 0x104d48000 + 420\n` +
      `1   Shop   \t0x${hex(0x150)} 0x104d48000 + 336\n`
    for (const exception of [addresses, lines]) {
      const report = await symbolicateSample(writeCrash(crashedFrames, { exception }))
      assert.equal(report.threads.length, 3)
      assert.equal(report.threads[2]?.name, 'Last Exception Backtrace')
      const expected = ['main cart.cpp:52', 'Money::add(int) money.h:32 inlined', 'Cart::total() cart.cpp:12']
      assert.deepEqual(summarize(report.threads[2]), expected)
      assert.match(report.text, /Last Exception Backtrace:\n0 {3}Shop .* main \(cart\.cpp:52:3\)\n/)
    }
  })

  it('does not miss the symbols of the system, which only Apple has', async () => {
    const images = [
      '0x1a0000000 - 0x1a03fffff UIKitCore arm64e <7b942fa4cb7633759972f58c14492fb4> /System/Library/UIKitCore',
      '0x1b0000000 - 0x1b03fffff libdyld.dylib arm64e <8b942fa4cb7633759972f58c14492fb4> /usr/lib/libdyld.dylib',
      '0x1c0000000 - 0x1c03fffff Cart arm64 <9b942fa4cb7633759972f58c14492fb4> /private/app/usr/lib/Cart',
    ].join('\n')
    const frames = ['1a0000054', '1b0000054', '1c0000054'].map(
      (address, index) => `${index}   x   0x0000000${address} 0x0 + 84`,
    )
    const report = await symbolicate(writeCrash(frames.join('\n'), { images }), {
      findImage: () => undefined,
      findMapping: () => undefined,
    })
    assert.deepEqual(
      report.missingSymbols.map(({ name }) => name),
      ['Cart'],
    )
  })

  it('lists each image without symbols once', async () => {
    const images = writeImages('Shop', '00000000-1111-2222-3333-444444444444')
    const report = await symbolicateSample(writeCrash(crashedFrames, { images }))
    assert.deepEqual(report.missingSymbols, [
      { name: 'Shop', uuid: '00000000-1111-2222-3333-444444444444', architecture: 'arm64', codeId: null },
    ])
    assert.equal(report.threads[0]?.frames[0]?.function, null)
    assert.ok(report.text.includes(crashedFrames))
  })

  it('gives a reason if it lists no images, so that nothing can be resolved', async () => {
    const report = await symbolicateSample(writeCrash(crashedFrames, { images: '' }))
    assert.equal(report.threads[0]?.frames[0]?.function, null)
    assert.match(report.warnings.join(), /no binary images/)
  })

  it('does not use an image whose range is reversed', async () => {
    const images = writeImages().replace('0x104d48000 -        0x104d67fff', '0x104d67fff -        0x104d48000')
    const report = await symbolicateSample(writeCrash(crashedFrames, { images }))
    assert.equal(report.threads[0]?.frames[0]?.function, null)
    assert.match(report.warnings.join(), /impossible range/)
  })
})

describe('an .ips report', () => {
  it('may be partly resolved already, with inlined frames', async () => {
    const report = await symbolicateSample(
      writeIps((body) => {
        const at = { imageOffset: 0x130, imageIndex: 0 }
        const round = { ...at, symbol: 'round', symbolLocation: 0, sourceFile: 'money.h', sourceLine: 40, inline: true }
        const spin = { imageOffset: 84, imageIndex: 1, symbol: 'spin', symbolLocation: 0, inline: true }
        const frames = [round, { ...at, symbol: 'Cart::total()' }, { imageOffset: 0x180, imageIndex: 0 }, spin]
        body['threads'] = [{ id: 1, triggered: true, frames }]
      }),
    )
    assert.deepEqual(summarize(report.threads[0]), [...crashedThread, 'spin null:null inlined'])
  })

  it('is resolved like a legacy report', async () => {
    const report = await symbolicateSample(writeIps())
    assert.deepEqual(summarize(report.threads[0]), crashedThread)
    assert.deepEqual(
      report.threads.map(({ name, crashed }) => [name, crashed]),
      [
        ['main', true],
        ['worker', false],
        ['Last Exception Backtrace', false],
      ],
    )
    assert.deepEqual(summarize(report.threads[1]), ['objc_msgSend null:null'])
    assert.deepEqual(summarize(report.threads[2]), ['main cart.cpp:0'])
    assert.deepEqual(report.missingSymbols, [])
    assert.deepEqual(
      report.usedImages.map(({ uuid }) => uuid),
      [sampleUuid],
    )
  })

  it('is converted to readable text', async () => {
    const { text } = await symbolicateSample(writeIps())
    assert.match(text, /^Process: +Shop \[7\]$/m)
    assert.match(text, /^Exception Type: +EXC_CRASH \(SIGABRT\)$/m)
    assert.match(text, /^Thread 0 Crashed:\n0 {3}Shop +\t0x0000000104d48130 round \[inlined\] \(money\.h:40:7\)$/m)
    assert.match(text, /objc_msgSend \+ 32/)
  })

  it('may lack its header line', async () => {
    const text = writeIps()
    const report = await symbolicateSample(text.slice(text.indexOf('\n') + 1))
    assert.deepEqual(summarize(report.threads[0]), crashedThread)
  })

  it('keeps frames that belong to no image', async () => {
    const frames = [
      { imageOffset: 1, imageIndex: 99 },
      { imageOffset: -5, imageIndex: 0 },
      { imageOffset: 2 ** 64, imageIndex: 0 },
      { imageOffset: 'x', imageIndex: {} },
      null,
    ]
    const report = await symbolicateSample(writeIps((body) => (body['threads'] = [{ frames }, 7, { frames: 'none' }])))
    assert.equal(report.threads.length, 4)
    assert.deepEqual(
      report.threads[0]?.frames.map(({ function: name, address }) => name ?? address),
      [null, null, null, null, null],
    )
    assert.doesNotMatch(report.text, /18446744073709551616|18446744073709552000/)
  })

  it('does not match an image whose UUID is malformed', async () => {
    const usedImages = [{ base, size: 0x20000, uuid: 'zz', name: 'Shop', arch: 'arm64' }]
    const report = await symbolicateSample(writeIps((body) => (body['usedImages'] = usedImages)))
    assert.deepEqual(report.missingSymbols, [{ name: 'Shop', uuid: null, architecture: 'arm64', codeId: null }])
  })

  it('may contain sampled stacks as text, outermost frame first', async () => {
    const sample = `Heaviest stack for the target process:
  10  ??? (Shop + 384) [0x${hex(0x180)}]
    10  ??? (Shop + 304) [0x${hex(0x130)}]
Binary Images:
  0x104d48000 - 0x104d67fff Shop <${sampleUuid}> /x`
    const report = await symbolicateSample(`{"bug_type":"202"}\n${sample}\n`)
    assert.deepEqual(summarize(report.threads[0]), crashedThread)
  })

  it('may be a payload of MetricKit, whose frames contain their callers', async () => {
    const frame = (offset: number, subFrames: object[] = []) => ({
      binaryName: 'Shop',
      binaryUUID: sampleUuid.toLowerCase(),
      address: base + offset,
      subFrames,
      offsetIntoBinaryTextSegment: offset,
    })
    const stack = (frames: object) => ({ threadAttributed: true, callStackRootFrames: [frames] })
    const diagnostic = (frames: object) => ({
      diagnosticMetaData: {
        appVersion: '2.1.0',
        appBuildVersion: '7',
        exceptionType: 6,
        platformArchitecture: 'arm64',
      },
      callStackTree: { callStacks: [stack(frames)] },
    })
    let deep = frame(0x130)
    for (let depth = 0; depth < 500; depth++) deep = frame(0x150, [deep])
    const report = await symbolicateSample(
      JSON.stringify({
        timeStampEnd: '2026-11-01 00:00:00',
        crashDiagnostics: [diagnostic(frame(0x130, [frame(0x180)]))],
        hangDiagnostics: [diagnostic(deep)],
      }),
    )
    assert.equal(report.kind, 'apple')
    assert.deepEqual(
      report.threads.map(({ name, crashed }) => `${name} ${crashed}`),
      ['Crash true', 'Hang false'],
    )
    assert.deepEqual(summarize(report.threads[0]), crashedThread)
    assert.match(report.text, /^Version: +2\.1\.0 \(7\)$/m)
    assert.match(report.text, /^Thread 0 Crashed:\n0 {3}Shop.*round \[inlined\] \(money\.h:40:7\)$/m)
    assert.equal(report.threads[1]?.frames.filter(({ inlined }) => !inlined).length, 501)
  })

  it('without threads is returned with a warning', async () => {
    const report = await symbolicateSample('{"bug_type":"298"}\n{"largestProcess":"Shop"}')
    assert.deepEqual(report.threads, [])
    assert.match(report.warnings.join(), /bug type 298, holds no threads/)
  })

  it('is refused if it is truncated', async () => {
    const refuse = async (text: string, code: string) => {
      await assert.rejects(symbolicateSample(text), (error) => error instanceof SymbolsError && error.code === code)
    }
    await refuse(writeIps().slice(0, 400), 'malformed-report')
    await refuse('{"bug_type":"309"}\n', 'malformed-report')
    await refuse('[]', 'unknown-report')
  })

  it('with very many frames is resolved up to a limit, with a warning', async () => {
    const frames = Array.from({ length: 25_000 }, () => ({ imageOffset: 0x130, imageIndex: 0 }))
    const report = await symbolicateSample(writeIps((body) => (body['threads'] = [{ frames }])))
    assert.equal(report.threads[0]?.frames.filter(({ inlined }) => !inlined).length, 20_000)
    assert.match(report.warnings.join(), /25001 frames/)
  })
})

describe('the images of a report', () => {
  it('are those that contain frames', () => {
    for (const text of [writeCrash(crashedFrames), writeIps()]) {
      const { kind, images } = readReport(text, 'apple').contents
      assert.equal(kind, 'apple')
      assert.deepEqual(
        images.map(({ name, uuid }) => [name, uuid]),
        [
          ['Shop', sampleUuid],
          ['UIKitCore', '7B942FA4-CB76-3375-9972-F58C14492FB4'],
        ],
      )
    }
  })

  it('are none for an Android trace, which may name its mapping instead', () => {
    const trace = 'java.lang.Error: x\n\tat a.a.a(r8-map-id-7bd0aa1:1)\n'
    assert.deepEqual(readReport(trace, 'android').contents, { kind: 'android', images: [], mapId: '7bd0aa1' })
  })
})

describe('a log of Android', () => {
  it('is not mistaken for an Apple report because of brackets or common words', () => {
    const trace = 'java.lang.Error: x\n\tat a.a.a(SourceFile:1)\n'
    for (const head of [
      '[main] fatal\n',
      '[2026-11-21 10:11:12] fatal\n',
      '{main} fatal\n',
      'OS Version: 14\nProcess: a.b, PID: 7\n',
    ]) {
      assert.equal(detectPlatform(head + trace), 'android')
    }
  })
})

describe('symbols that cannot be used', () => {
  it('leave the frames unresolved and give the reason', async () => {
    using folder = createFolder()
    const broken = folder.write('broken.lookup', 'x'.repeat(100))
    const source = { findImage: () => broken, findMapping: () => undefined }
    const report = await symbolicate(writeCrash(crashedFrames), source)
    assert.equal(report.threads[0]?.frames[0]?.function, null)
    assert.match(report.warnings.join(), /The symbols of Shop cannot be used\. The lookup file is damaged\./)
    assert.equal(report.missingSymbols[0]?.name, 'Shop')
  })
})

describe('an Android trace without a mapping', () => {
  it('keeps its frames and names the missing mapping', async () => {
    const trace =
      'a.b: boom\n\tat  a.b.c(SourceFile:3)\n\tat a.b.a(r8-map-id-7bd0aa1:1)\r\nCaused by: a.c\n  at x.y(Native Method)'
    const report = await symbolicate(trace, { findImage: () => undefined, findMapping: () => undefined })
    assert.equal(report.text, trace.replace('\r', ''))
    const frames = report.threads.map(({ frames }) =>
      frames.map(({ function: name, file, line }) => [name, file, line]),
    )
    assert.deepEqual(frames, [
      [
        ['a.b.c', 'SourceFile', 3],
        ['a.b.a', 'r8-map-id-7bd0aa1', 1],
      ],
      [['x.y', null, null]],
    ])
    assert.deepEqual(report.warnings, ['There is no mapping with the id 7bd0aa1.'])
  })
})
