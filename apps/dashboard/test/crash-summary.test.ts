import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hasSourceLine, readCrashSummary } from '../src/symbols/crash-summary.ts'
import { readFrameOrigin } from '../src/symbols/frame-origin.ts'

const appleText = `Hardware Model:      iPhone15,4
Process:             Pilot [12]
Identifier:          com.example.pilot
Version:             1.2 (34)
OS Version:          iPhone OS 18.5 (22F76)

Exception Type:      EXC_CRASH (SIGABRT)
Termination Reason:  SIGNAL 6 Abort trap: 6

Application Specific Information:
abort() called

Binary Images:
       0x104000000 -        0x104ffffff Pilot arm64  <aa> /private/var/containers/Bundle/Application/1/Pilot.app/Pilot
       0x1b7609000 -        0x1b7ffffff UIKitCore arm64e  <bb> /System/Library/PrivateFrameworks/UIKitCore
`

type Crash = Parameters<typeof readCrashSummary>[0]

const read = (kind: Crash['kind'], text: string, threads: Crash['threads'] = []) =>
  readCrashSummary({ kind, text, threads })

describe('the summary of a crash', () => {
  it('has an exception whose name does not say that it is one, and the innermost cause', () => {
    const thrown = { crashed: true, frames: [] }
    const { title, message, facts } = read('android', 'com.example.CartFailure: no total\n\tat a.b(SourceFile:1)\n', [
      { ...thrown, name: null, exception: 'com.example.CartFailure: no total' },
      { ...thrown, name: 'Caused by: ab: gone', exception: 'ab: gone' },
    ])
    assert.deepEqual([title, message], ['com.example.CartFailure', 'no total'])
    assert.deepEqual(facts, [['Caused by', 'ab: gone']])
  })

  it('has what was thrown in JavaScript and in Dart', () => {
    const thrown = { name: null, crashed: true, frames: [], exception: 'TypeError: total is undefined' }
    const { title, message } = read('javascript', 'TypeError: total is undefined\n    at pay (app.js:1:2)', [thrown])
    assert.deepEqual([title, message], ['TypeError', 'total is undefined'])
    const dart = read('dart', 'E/flutter (  1): Unhandled Exception:\nStateError: Bad state: no total\n#0 main')
    assert.deepEqual([dart.title, dart.message], ['StateError', 'Bad state: no total'])
  })

  it('has the exception, app, device and system of an Apple crash', () => {
    const { title, message, facts } = read('apple', appleText)
    assert.equal(title, 'EXC_CRASH (SIGABRT)')
    assert.equal(message, 'abort() called')
    assert.deepEqual(Object.fromEntries(facts), {
      Reason: 'SIGNAL 6 Abort trap: 6',
      App: 'com.example.pilot 1.2 (34)',
      Device: 'iPhone15,4',
      System: 'iPhone OS 18.5 (22F76)',
    })
  })

  it('has the class and the message of a Java exception', () => {
    const trace = 'java.lang.IllegalStateException: no chart: 7\n\tat a.b.c(SourceFile:3)\n'
    const { title, message } = read('android', trace)
    assert.deepEqual([title, message], ['java.lang.IllegalStateException', 'no chart: 7'])
  })

  it('finds the exception in a log', () => {
    const log = [
      '11-20 10:00:00.000  3 3 E AndroidRuntime: FATAL EXCEPTION: main',
      '11-20 10:00:00.000  3 3 E AndroidRuntime: Process: com.example.pilot, PID: 3',
      '11-20 10:00:00.000  3 3 E AndroidRuntime: java.lang.OutOfMemoryError',
    ].join('\n')
    const { title, message, facts } = read('android', log)
    assert.deepEqual([title, message], ['java.lang.OutOfMemoryError', null])
    assert.deepEqual(facts, [['App', 'com.example.pilot']])
  })

  it('has the signal, device and system of a native crash', () => {
    const tombstone = `Build fingerprint: 'google/husky/husky:15/AP31.1/123:user/release-keys'
ABI: 'arm64'
pid: 1608, tid: 1610, name: main  >>> com.example.pilot <<<
signal 6 (SIGABRT), code -6 (SI_TKILL), fault addr --------
Abort message: 'chart is null'
`
    const { title, message, facts } = read('android', tombstone)
    assert.match(title ?? '', /^signal 6 \(SIGABRT\)/)
    assert.equal(message, 'chart is null')
    assert.deepEqual(Object.fromEntries(facts), {
      App: 'com.example.pilot',
      Device: 'google husky',
      System: 'Android 15',
      Architecture: 'arm64',
    })
  })

  it('is empty for a text that is no crash', () => {
    assert.deepEqual(read('android', 'Dear team,\nhello'), { title: null, message: null, facts: [] })
  })
})

describe('a frame', () => {
  it('has no source line while R8 has put a placeholder in the place of its file', () => {
    const files = ['Chart.kt', 'SourceFile', 'r8-map-id-0123abcd', 'Unknown Source', null]
    assert.deepEqual(
      files.filter((file) => hasSourceLine({ file, line: 18 })),
      ['Chart.kt'],
    )
    assert.equal(hasSourceLine({ file: 'Chart.kt', line: null }), false)
  })
})

describe('the origin of a frame', () => {
  it('is the system for images of /System/Library, in a .crash and in an .ips', () => {
    const ips = `{"bug_type":"309"}\n${JSON.stringify({
      usedImages: [
        { name: 'UIKitCore', path: '/System/Library/PrivateFrameworks/UIKitCore.framework/UIKitCore' },
        { name: 'Pilot', path: '/private/var/containers/Bundle/Application/1/Pilot.app/Pilot' },
        { name: 'libsystem_c.dylib', path: '/usr/lib/system/libsystem_c.dylib' },
      ],
    })}`
    for (const report of [appleText, ips]) {
      const { isOfSystem, isSystemImage } = readFrameOrigin('apple', report)
      assert.equal(isSystemImage('UIKitCore'), true)
      assert.equal(isSystemImage('Pilot'), false)
      assert.equal(isOfSystem({ function: null, module: 'UIKitCore', raw: '' }), true)
      assert.equal(isOfSystem({ function: 'main', module: 'Pilot', raw: '' }), false)
    }
    assert.equal(readFrameOrigin('apple', ips).isSystemImage('libsystem_c.dylib'), true)
  })

  it('is the system for classes of Java, Kotlin and Android', () => {
    const { isOfSystem } = readFrameOrigin('android', '')
    const isSystem = (name: string) => isOfSystem({ function: name, module: null, raw: '' })
    assert.equal(isSystem('android.os.Looper.loop'), true)
    assert.equal(isSystem('java.util.ArrayList.get'), true)
    assert.equal(isSystem('com.example.pilot.MainActivity.openChart'), false)
    assert.equal(isOfSystem({ function: null, module: null, raw: '\tat android.os.Looper.loop(Looper.java:2)' }), true)
    assert.equal(isOfSystem({ function: null, module: null, raw: '#00 pc 77807  /system/lib64/libc.so' }), true)
  })

  it('is not the system if the report names no path or is not valid JSON', () => {
    assert.equal(readFrameOrigin('apple', '{ broken').isSystemImage('Pilot'), false)
  })
})
