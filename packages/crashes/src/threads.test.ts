/** Reports of every form list all of their threads, the one that crashed first. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readLogs } from './app-center/read-logs.ts'
import { readReport } from './raw/read-report.ts'

const unknown = { shortVersion: null, version: null, installId: null }

const dump = `----- pid 28941 at 2026-11-01 10:00:18.007439439+0100 -----
Cmd line: org.shop

"Signal Catcher" daemon prio=10 tid=6 Runnable
  | group="system" sCount=0
  native: #00 pc 000000000053a6e0  /apex/com.android.art/lib64/libart.so (art::DumpNativeStack(int)+8)

"main" prio=5 tid=1 Blocked
  | group="main" sCount=1
  at org.shop.Cart.load(Cart.kt:7)
  - waiting to lock <0x0d3a2f0a> (a java.lang.Object) held by thread 14
  at android.os.Looper.loop(Looper.java:288)

"pool-1" prio=5 tid=14 Native (still starting up)
  native: #00 pc 0000000000000040  /data/app/org.shop-1/lib/arm64/libcart.so (BuildId: 01331f74)
`

const tombstone = `*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
pid: 7, tid: 9, name: RenderThread  >>> org.shop <<<
signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0
backtrace:
      #00 pc 00000000000bad10  /data/app/org.shop-1/lib/arm64/libcart.so (total+16)
--- --- --- --- --- --- --- --- --- --- --- --- --- --- --- ---
pid: 7, tid: 7, name: org.shop  >>> org.shop <<<
      #00 pc 0000000000000040  /data/app/org.shop-1/lib/arm64/libother.so (BuildId: 01331f74)
      #01 pc 0000000000000044  /system/lib64/libc.so
`

const text = `Incident Identifier: 6F1C0F2A-0000-4000-8000-000000000001
Identifier: org.shop
Exception Type:  EXC_CRASH (SIGABRT)
Crashed Thread:  1

Last Exception Backtrace:
0   CoreFoundation   0x0000000180000100 __exceptionPreprocess + 164
1   Shop             0x0000000104004000 0x104000000 + 16384

Thread 0 name:  Dispatch queue: com.apple.main-thread
Thread 0:
0   libsystem_kernel.dylib  0x0000000190000100 mach_msg_trap + 8

Thread 1 Crashed:
0   libsystem_kernel.dylib  0x0000000190000200 __pthread_kill + 8

Binary Images:
0x104000000 - 0x104ffffff Shop arm64 <0b1ad4cc000030008000000000000001> /var/containers/Bundle/Shop.app/Shop
`

const diagnostics = JSON.stringify({
  crashDiagnostics: [
    {
      diagnosticMetaData: { exceptionType: 1 },
      callStackTree: {
        callStackPerThread: true,
        callStacks: [
          { threadAttributed: false, callStackRootFrames: [{ binaryName: 'Shop', address: 1 }] },
          {
            threadAttributed: true,
            callStackRootFrames: [{ binaryName: 'Shop', address: 2, subFrames: [{ binaryName: 'Shop', address: 3 }] }],
          },
        ],
      },
    },
  ],
})

const managed = {
  type: 'managedError',
  id: 'a',
  fatal: true,
  errorThreadId: 2,
  errorThreadName: 'main',
  exception: { type: 'E', frames: [{ className: 'org.shop.Cart', methodName: 'load' }] },
  threads: [
    { id: 1, name: 'pool', frames: [] },
    { id: 2, name: 'main', frames: [{ className: 'dalvik.VMStack', methodName: 'getThreadStackTrace' }] },
  ],
}
const apple = { type: 'appleError', id: 'b', fatal: true, errorThreadId: 0, osExceptionType: 'SIGABRT' }
const appleThreads = [0, 1].map((id) => ({ id, frames: [{ address: '0x10' }] }))

const ofLog = (log: object) => readLogs(Buffer.from(JSON.stringify({ logs: [log] })), { installId: null }).crashes
const ofReport = (report: string) => readReport(Buffer.from(report), unknown).crashes

describe('the threads of a crash', () => {
  for (const [form, crashes, expected] of [
    [
      'an ANR',
      ofReport(dump),
      ['1 main Blocked crashed 2', '6 Signal Catcher Runnable 1', '14 pool-1 Native (still starting up) 1'],
    ],
    ['a tombstone', ofReport(tombstone), ['9 RenderThread crashed 1', '7 org.shop 2']],
    [
      'a report of Apple',
      ofReport(text),
      ['Last Exception Backtrace crashed 2', '1 crashed 1', '0 Dispatch queue: com.apple.main-thread 1'],
    ],
    ['MetricKit', ofReport(diagnostics), ['1 crashed 2', '0 1']],
    ['App Center on Android', ofLog(managed), ['2 main crashed 1', '1 pool 0']],
    ['App Center on iOS', ofLog({ ...apple, threads: appleThreads }), ['0 crashed 1', '1 1']],
    ['App Center without threads', ofLog({ ...managed, threads: undefined }), []],
    ['a trace of Java', ofReport('org.shop.Gone: x\n\tat org.shop.Cart.load(Cart.kt:7)\n'), []],
  ] as const) {
    it(`of ${form} are listed with their names and states`, () => {
      const [crash] = crashes
      assert.ok(crash)
      assert.deepEqual(
        crash.threads.map(({ id, name, state, isCrashed, frames }) =>
          [id, name, state, isCrashed ? 'crashed' : null, frames.length].filter((part) => part !== null).join(' '),
        ),
        expected,
      )
      if (crash.threads.length > 0) assert.deepEqual(crash.threads[0]?.frames, crash.frames)
    })
  }

  it('of a native crash bring the libraries that they are in, so that they can be resolved', () => {
    for (const report of [dump, tombstone]) assert.equal(ofReport(report)[0]?.images.length, 1)
  })
})
