/** The two endpoints that take the text of a crash accept and refuse the same bytes, and see the same in them. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { writeZip } from '@fairlead/binary/fixture'
import { Crash, SymbolicatedCrash } from '@fairlead/contract'
import {
  type CrashApplication,
  createCrashApplication,
  deliver,
  findCrashFixtures,
  readFixture,
  waitUntilRead,
} from '../testing/crashes.ts'
import { startServer } from '../testing/start-server.ts'

const texts = {
  'an exception without a package': 'ab: gone\n\tat ac.b(SourceFile:3)\n',
  'a thread of the runtime': 'Exception in thread "main" ab: gone\n\tat ac.b(SourceFile:3)\n',
  'a trace of Play Console': 'Exception ab: gone\n  at ac.b (SourceFile:3)\nCaused by cd: x\n  at e.f (SourceFile:1)\n',
  'a trace of Crashlytics': 'Fatal Exception: ab: gone\n       at ac.b(SourceFile:3)\n',
  'frames alone': '\tat ac.b(SourceFile:3)\n',
  'a log that begins with JSON': '{"level":"error"}\njava.lang.Error: x\n\tat a.a.a(SourceFile:1)\n',
  'an apology': 'Dear support, it crashed.',
  'a host name': 'example.com',
  nothing: '',
  JSON: '{"level":"error"}',
  'an exception without frames': 'java.lang.IllegalStateException: no wallet',
  'the name of an exception in a sentence': 'I saw java.lang.IllegalStateException today.',
}

const dartHead = `*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
pid: 9698, tid: 12897, name 1.ui
os: android arch: arm64 comp: yes sim: no
build_id: '07cc131ca803c124e93268ce19322737'
isolate_dso_base: 7dfc1000, vm_dso_base: 7dfc1000
isolate_instructions: 7e0e9aa0, vm_instructions: 7e0e5000`
const dartFrame = '    #00 abs 000000007e1c3fb3 virt 0000000000202fb3 _kDartIsolateSnapshotInstructions+0xda513'

type Frame = SymbolicatedCrash['threads'][number]['frames'][number]

const dumpHead = `----- pid 28941 at 2026-11-01 10:00:18.007439439+0100 -----
Cmd line: org.shop
Build fingerprint: 'google/oriole/oriole:13/TP1A.221105.002/9080065:user/release-keys'
ABI: 'arm64'
`

/** One report of each form that either endpoint reads. */
const reports = {
  'a trace of Play Console': texts['a trace of Play Console'],
  'a trace of Dart': `Unhandled exception:
FormatException: bad tide
${dartHead}
${dartFrame}
    #01 abs 000000007e0ff173 virt 000000000013e173 _kDartIsolateSnapshotInstructions+0x156d3
`,
  'a log of Flutter': ["Unhandled Exception: Instance of 'Bad'", ...dartHead.split('\n'), dartFrame]
    .map((line) => `11-01 10:00:07.123  4242  4260 E flutter : ${line}\n`)
    .join(''),
  'a thrown string of Dart': `Unhandled exception:\nno more tides\n${dartHead}\n${dartFrame}\n`,
  'a trace of Dart that says no exception': `${dartHead.replace(/build_id.*\n/, '')}\n${dartFrame}\n`,
  'a tombstone': `*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
pid: 7, tid: 7, name: shop  >>> org.shop <<<
signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0
backtrace:
      #00 pc 00000000000bad10  /data/app/org.shop-1/lib/arm64/libcart.so (total+16)
      #01 pc 0000000000000040  /data/app/org.shop-1/lib/arm64/libcart.so
`,
  'an ANR in native code': `${dumpHead}
"Signal Catcher" daemon prio=10 tid=6 Runnable
  | group="system" sCount=0 ucsCount=0 flags=0 obj=0x137c0228 self=0xb400007cabc5ee00
  native: #00 pc 000000000053a6e0  /apex/com.android.art/lib64/libart.so (art::DumpNativeStack(int)+8)
  (no managed stack frames)

"main" prio=5 tid=1 Native
  | group="main" sCount=1 ucsCount=0 flags=1 obj=0x72a985e0 self=0xb400007cabc57380
  native: #00 pc 00000000000a20f4  /apex/com.android.runtime/lib64/bionic/libc.so (read+4) (BuildId: 01331f74)
  native: #01 pc 00000000000bad10  /data/app/org.shop-1/base.apk!libcart.so (offset 0x1c5000) (BuildId: 9c7fff40)
  native: #02 pc 0000000000000040  /data/app/org.shop-1/oat/arm64/base.odex (Java_org_shop_Cart_load+52)
  at org.shop.Cart.load(Native method)
  at org.shop.Cart.open(Cart.kt:12)

"Thread-7" sysTid=28966
  #00 pc 00000000000a23d8  /apex/com.android.runtime/lib64/bionic/libc.so (__ioctl+8) (BuildId: 01331f74)
----- end 28941 -----
`,
  'an ANR without frames of Java': `${dumpHead}
"main" prio=5 tid=1 Native
  native: #00 pc 00000000000a20f4  /apex/com.android.runtime/lib64/bionic/libc.so (read+4)
  (no managed stack frames)

"worker" prio=5 tid=2 Native
  native: #00 pc 00000000000a20f4  /apex/com.android.runtime/lib64/bionic/libc.so (read+4)
`,
  'an ANR of Play Console': `"main" tid=1 Native
  #00  pc 0x000000000009c6ac  /apex/com.android.runtime/lib64/bionic/libc.so (syscall+28)
  #01  pc 0x00000000000bad10  /data/app/org.shop-1/lib/arm64/libcart.so
  at org.shop.Cart.load (Native method)
`,
  'a crash of KSCrash': `Incident Identifier: 2E9A8C3C-0E1B-4E43-9D6E-6A2B8E7B1B1F
Exception Type:  EXC_CRASH (SIGABRT)
Crashed Thread:  0

Thread 0 Crashed:
0   libsystem_kernel.dylib        \t0x3618da1c 0x3617c000 + 72220 (__pthread_kill + 8)
1   Crash-Tester                  \t0x000668a8 0x5f000 + 30888 (-[Crasher doAbort] + 12)

Thread 1:
0   libsystem_kernel.dylib        \t0x3618bc00 0x3617c000 + 64512 (mach_msg_trap + 20)

Binary Images:
   0x5f000 -    0x8ffff +Crash-Tester armv7  <11d18ddb9fc83e3a9cd2a2f7ee3d3f4e> /var/App.app/Crash-Tester
`,
  'a stack of JavaScript': 'TypeError: x is undefined\n    at total (index.android.bundle:1:4242)\n',
}

/**
 * What both say about each frame: `raw` is the line of the text, which a crash does not keep. A column of zero is how
 * DWARF says that it knows none; symbolicate shows it as llvm-symbolizer does.
 */
function toPlace({ raw: _raw, alternatives, ...frame }: Frame, isInBundle: boolean): object {
  const { function: name, file, line, column, module, address, inlined } = frame
  const others = alternatives.map((frames) => frames.map((one) => `${one.function}:${one.line}`))
  return { name, file, line, column: column || null, module: isInBundle ? null : module, address, inlined, others }
}

describe('POST …/crashes and symbolicate', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const android = await createCrashApplication(server, 'same-android')
  const ios = await createCrashApplication(server, 'same-ios', 'ios')

  const sendAndRead = async ({ id, key, sentryDsn }: CrashApplication, body: Uint8Array | string) => {
    const sent = await deliver(server, { id, key, sentryDsn }, 'raw', body)
    const read = await server.call('POST', `/v1/applications/${id}/symbolicate`, { body: Buffer.from(body) })
    return { sent, read }
  }
  const findCrash = async ({ id }: CrashApplication, sourceId: string) => {
    const { json: groups } = await server.call('GET', `/v1/applications/${id}/crashGroups`)
    for (const group of groups) {
      const { json: crashes } = await server.call('GET', `/v1/crashGroups/${group.id}/crashes`)
      const found = crashes.find((crash: { sourceId: string }) => crash.sourceId === sourceId)
      if (found) return Crash.parse((await server.call('GET', `/v1/crashes/${found.id}`)).json)
    }
    return assert.fail(`no crash ${sourceId}`)
  }

  /** The frames of a crash are those of one thread, and what symbolicate says was thrown there was thrown last. */
  const checkReport = async (app: CrashApplication, name: string, body: Uint8Array | string) => {
    const { sent, read } = await sendAndRead(app, body)
    assert.deepEqual([sent.status, read.status], [202, 200], `${name}: ${sent.text} ${read.text.slice(0, 300)}`)
    await waitUntilRead(server, app.id)
    const crash = await findCrash(app, sent.json.id)
    const { threads, kind } = SymbolicatedCrash.parse(read.json)
    // A crash names the bundle of JavaScript there, which is no binary.
    const toPlaces = (frames: Frame[]) => frames.map((frame) => toPlace(frame, kind === 'javascript'))
    const places = toPlaces(crash.frames)
    const thread = threads.findLast(({ frames }) => isDeepStrictEqual(toPlaces(frames), places))
    if (thread) {
      const thrown = crash.exceptions.at(-1)
      if (thread.exception !== undefined) assert.ok(thread.exception.startsWith(thrown?.type ?? '?'), name)
      return crash
    }
    const [first] = crash.frames
    const begins = threads.find(({ frames: [frame] }) => frame && first && frame.address === first.address)
    const closest = begins ?? threads.find(({ crashed }) => crashed) ?? threads.at(-1)
    assert.deepEqual(places, toPlaces(closest?.frames ?? []), name)
    return crash
  }

  for (const [name, text] of Object.entries(texts)) {
    it(`answer alike for ${name}`, async () => {
      for (const app of [android, ios]) {
        const { sent, read } = await sendAndRead(app, text)
        assert.equal(sent.status === 202, read.status === 200, `${sent.text} ${read.text}`)
      }
    })
  }

  it('see the same frames and exceptions', async () => {
    const app = await createCrashApplication(server, 'same-frames')
    const seen: Record<string, [exceptions: string[], frames: number]> = {}
    for (const [name, text] of Object.entries(reports)) {
      const { exceptions, frames } = await checkReport(app, name, text)
      seen[name] = [exceptions.map(({ type, message }) => `${type}: ${message}`), frames.length]
    }
    assert.deepEqual(seen, {
      'a trace of Play Console': [['ab: gone', 'cd: x'], 1],
      'a trace of Dart': [['FormatException: bad tide'], 2],
      'a log of Flutter': [['Bad: null'], 1],
      'a thrown string of Dart': [['Exception: no more tides'], 1],
      'a trace of Dart that says no exception': [[], 1],
      'a tombstone': [['SIGSEGV: null'], 2],
      'an ANR in native code': [[], 5],
      'an ANR without frames of Java': [[], 1],
      'an ANR of Play Console': [[], 3],
      'a crash of KSCrash': [['EXC_CRASH: null'], 2],
      'a stack of JavaScript': [['TypeError: x is undefined'], 1],
    })
  })

  it('group equal crashes of Dart in one group, and name the symbols that are missing', async () => {
    const app = await createCrashApplication(server, 'same-dart')
    const text = reports['a trace of Dart']
    for (const body of [text, text.replace('bad tide', 'bad ebb')]) await checkReport(app, 'Dart', body)
    const groups = await server.call('GET', `/v1/applications/${app.id}/crashGroups`)
    assert.deepEqual(
      groups.json.map(({ crashCount, title }: { crashCount: number; title: string }) => [crashCount, title]),
      [[2, 'FormatException']],
    )
    const missing = await server.call('GET', `/v1/applications/${app.id}/missingSymbols`)
    assert.deepEqual(
      missing.json.map(({ kind, uuid, name }: Record<string, unknown>) => [kind, uuid, name]),
      [['elf', '1c13cc07-03a8-24c1-e932-68ce19322737', 'libapp.so']],
    )
  })

  it('differ only for reports in which nothing crashed, which intake refuses with the reason', async () => {
    const sample = 'Thread 0:\n0   Shop   0x0000000102268e70 0x10211c000 + 1363568\n\nBinary Images:\n'
    const { sent, read } = await sendAndRead(ios, sample)
    assert.deepEqual([sent.status, read.status], [422, 200])
    assert.match(sent.json.detail, /neither an exception nor a thread that crashed/)
  })

  const folder = findCrashFixtures()
  const isMissing = folder === undefined && 'no shared fixtures'
  it('see the same in the reports of the fixtures, without their symbols', { skip: isMissing }, async () => {
    if (folder === undefined) return
    const truth: Record<string, { protocol: string; crashes: unknown[]; refused?: true; refusable?: true }> =
      JSON.parse(readFixture(folder, 'truth.json').toString())
    for (const [file, { protocol, crashes, refused, refusable }] of Object.entries(truth)) {
      const body = readFixture(folder, file)
      // Nothing crashed in it.
      if (refusable === true) continue
      if (protocol === 'raw' && (crashes.length > 0 || file === 'android/tombstone.pb')) {
        const app = file.startsWith('apple') || file.startsWith('metrickit') ? ios : android
        await checkReport(app, file, body)
        continue
      }
      // Both refuse broken files, and the messages of SDKs, which have protocols of their own.
      const { sent, read } = await sendAndRead(android, body)
      assert.deepEqual([sent.status, read.status], [422, 422], `${file} ${refused} ${sent.text}`)
    }
  })

  it('see the same in the reports of the fixtures, with their symbols', { skip: isMissing }, async () => {
    if (folder === undefined) return
    const shared = join(folder, '..')
    const read = (file: string) => new Uint8Array(readFileSync(join(shared, file)))
    const list = (place: string, pattern: RegExp) =>
      readdirSync(join(shared, place), { recursive: true, encoding: 'utf8' })
        .filter((file) => pattern.test(file))
        .map((file) => `${place}/${file}`)
    const libraries = list('native/elf', /^libatlas.*\.(so|debug)$/).map(read)
    const snapshots = list('native/dart', /symbols\.gz$/).map((file) => Uint8Array.from(gunzipSync(read(file))))
    const dSyms = list('symbols/made/out', /^(?:(?:exec-|medium-)dwarf4|dwarf[45]-O1)\/.*DWARF\/\w+$/).map((file) =>
      Uint8Array.from(writeZip([{ name: 'Shop.dSYM/Contents/Resources/DWARF/Shop', data: read(file) }])),
    )
    // A `.crash` and an `.ips` of the fixtures are of one incident, which an application stores once.
    const parts = [
      { alias: 'symbols-android', files: list('native/events', /^tombstone.*(txt|pb)$/), symbols: libraries },
      { alias: 'symbols-dart', files: list('native/dart', /trace\d\.txt$/), symbols: snapshots },
      { alias: 'symbols-crash', files: list('symbols/made/crash', /\.crash$/), symbols: dSyms },
      { alias: 'symbols-ips', files: list('symbols/made/crash', /\.ips$/), symbols: dSyms },
    ]
    const unresolved: string[] = []
    for (const { alias, files, symbols } of parts) {
      const app = await createCrashApplication(server, alias, symbols === dSyms ? 'ios' : 'android')
      for (const body of symbols) {
        const headers = { 'X-Service-Application-Alias': alias }
        const answer = await server.call('POST', '/v2/symbolsFiles', { headers, body })
        assert.equal(answer.status, 201, answer.text)
      }
      assert.ok(files.length > 5, alias)
      for (const file of files) {
        const { frames } = await checkReport(app, file, read(file))
        if (frames.every(({ line }) => line === null)) unresolved.push(file)
      }
    }
    const app = await createCrashApplication(server, 'symbols-anr')
    for (const body of libraries) {
      const headers = { 'X-Service-Application-Alias': 'symbols-anr' }
      assert.equal((await server.call('POST', '/v2/symbolsFiles', { headers, body })).status, 201)
    }
    const [backtrace] =
      /^ +#00 pc [^]*?\n\n/m.exec(Buffer.from(read('native/events/tombstone-0-arm64.txt')).toString()) ?? []
    const dump = `${dumpHead}\n"main" prio=5 tid=1 Native\n${backtrace?.replaceAll(/^ +#/gm, '  native: #')}`
    const { frames } = await checkReport(app, 'an ANR', dump)
    assert.ok(frames.filter(({ line }) => line !== null).length > 5)
    const answer = await server.call('POST', `/v1/applications/${app.id}/symbolicate`, { body: Buffer.from(dump) })
    assert.deepEqual([answer.json.missingSymbols, answer.json.symbolsFileIds.length > 0], [[], true])
    // They have no build id, or another one.
    assert.deepEqual(
      unresolved.filter((file) => !/trace9|wrong-uuid/.test(file)),
      [],
    )
  })
})
