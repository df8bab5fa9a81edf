/** Tests crashes of iOS apps: they and the dSYM with their source lines are sent in each way and in both orders. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { connectAgent } from '../apps/server/src/testing/agents.ts'
import { createCrashApplication, deliver, listAllCrashes, waitUntilRead } from '../apps/server/src/testing/crashes.ts'
import type { CrashApplication } from '../apps/server/src/testing/crashes.ts'
import { startServer } from '../apps/server/src/testing/start-server.ts'
import { uploadIpa } from '../apps/server/src/testing/upload.ts'
import {
  sampleUuid,
  writeInfoPlist,
  writeSampleArchive,
  writeSampleImage,
} from '../packages/symbols/test/sample-app.ts'
import { findFixtures } from '../packages/symbols/test/fixtures.ts'
import { writeZip } from '../packages/symbols/test/write-zip.ts'
import { openTemporaryFolder } from './processes/server-process.ts'

const run = promisify(execFile)
const { resolve: resolveOfServer } = createRequire(join(import.meta.dirname, '../apps/server/package.json'))
const path = '/private/var/containers/Bundle/Application/0/Shop.app/Shop'
const uuid = sampleUuid.toLowerCase()
const toHex = (address: number) => `0x${address.toString(16)}`

/** The offsets of frames in the app's image, innermost first. The first is inside two inlined calls. */
const inTotal = [0x130, 0x1a4]
const inMain = [0x190]

function toSentryEvent(base: number, offsets: number[], id: string) {
  return {
    event_id: id.repeat(32),
    platform: 'cocoa',
    level: 'fatal',
    release: 'com.example.shop@3.2+47',
    debug_meta: {
      images: [{ type: 'macho', debug_id: uuid, image_addr: toHex(base), image_size: 0x300, code_file: path }],
    },
    exception: {
      values: [
        {
          type: 'EXC_BAD_ACCESS',
          mechanism: { type: 'mach', handled: false },
          stacktrace: {
            frames: offsets.toReversed().map((offset) => ({ instruction_addr: toHex(base + offset), package: path })),
          },
        },
      ],
    },
  }
}

function toAppCenterLogs(base: number, offsets: number[]) {
  const binary = { id: uuid, startAddress: toHex(base), endAddress: toHex(base + 0x2ff), name: 'Shop', path }
  const frames = offsets.map((offset) => ({ address: toHex(base + offset) }))
  const log = {
    type: 'appleError',
    id: '7f3a7f3a-0000-4000-8000-000000000103',
    timestamp: new Date().toISOString(),
    device: { osName: 'iOS', osVersion: '18.1', appVersion: '3.2', appBuild: '47', appNamespace: 'com.example.shop' },
    fatal: true,
    errorThreadId: 1,
    exceptionType: 'EXC_BAD_ACCESS',
    binaries: [binary],
    threads: [
      { id: 0, frames: [] },
      { id: 1, frames },
    ],
  }
  return { logs: [log] }
}

function toIps(base: number, offsets: number[]): string {
  const head = { app_name: 'Shop', bug_type: '309', incident_id: 'AAAAAAAA-0000-4000-8000-000000000301' }
  const body = {
    incident: head.incident_id,
    bundleInfo: { CFBundleShortVersionString: '3.2', CFBundleVersion: '47', CFBundleIdentifier: 'com.example.shop' },
    exception: { type: 'EXC_BAD_ACCESS', signal: 'SIGSEGV' },
    faultingThread: 0,
    threads: [{ triggered: true, frames: offsets.map((imageOffset) => ({ imageOffset, imageIndex: 0 })) }],
    usedImages: [{ source: 'P', arch: 'arm64', base, size: 0x300, uuid: sampleUuid, name: 'Shop', path }],
  }
  return `${JSON.stringify(head)}\n${JSON.stringify(body)}`
}

describe('crashes of an iOS app', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())

  /** Sends one crash by each SDK and as a file, with another load address each time, and a second, different crash. */
  async function sendCrashes(app: CrashApplication): Promise<void> {
    const sentry = await deliver(server, app, 'sentry-store', JSON.stringify(toSentryEvent(0x104000000, inTotal, 'a')))
    const other = await deliver(server, app, 'sentry-store', JSON.stringify(toSentryEvent(0x105000000, inMain, 'b')))
    const logs = await deliver(server, app, 'appcenter', JSON.stringify(toAppCenterLogs(0x106000000, inTotal)))
    const report = await server.call('POST', `/v1/applications/${app.id}/crashes`, {
      body: toIps(0x107000000, inTotal),
    })
    assert.deepEqual([sentry.status, other.status, logs.status, report.status], [200, 200, 200, 202])
    await waitUntilRead(server, app.id)
  }

  const uploads: Record<string, (alias: string) => Promise<void>> = {
    async http(alias) {
      const headers = { 'X-Service-Application-Alias': alias }
      const body = new Uint8Array(writeSampleArchive())
      const answer = await server.call('POST', '/v2/symbolsFiles', { headers, body })
      assert.equal(answer.status, 201, answer.text)
    },
    async 'sentry-cli'(alias) {
      await using folder = await openTemporaryFolder()
      const bundle = join(folder.path, 'Shop.app.dSYM/Contents')
      await mkdir(join(bundle, 'Resources/DWARF'), { recursive: true })
      const plist = writeInfoPlist('com.apple.xcode.dsym.com.example.shop', '3.2', '47')
      await writeFile(join(bundle, 'Info.plist'), plist)
      await writeFile(join(bundle, 'Resources/DWARF/Shop'), writeSampleImage())
      const program = join(resolveOfServer('@sentry/cli/package.json'), '../bin/sentry-cli')
      const access = ['--url', server.url, '--auth-token', server.token]
      const command = ['debug-files', 'upload', '--org=any', `--project=${alias}`, folder.path]
      const env = { ...process.env, SENTRY_LOAD_DOTENV: '0' }
      await run(process.execPath, [program, ...access, ...command], { env, timeout: 60_000 })
    },
  }

  /** Describes the groups and their crashes, which must not depend on the order of arrival. */
  async function describeGroups(app: CrashApplication) {
    const { json: groups } = await server.call('GET', `/v1/applications/${app.id}/crashGroups`)
    const described = []
    for (const { id, key, title, culprit, crashCount, kind } of groups) {
      const { json: crashes } = await server.call('GET', `/v1/crashGroups/${id}/crashes`)
      const sources = crashes.map(({ source, sourceId }: Record<string, string>) => `${source} ${sourceId}`)
      described.push({ key, title, culprit, crashCount, kind, sources: sources.toSorted() })
    }
    return described.toSorted((one, other) => other.crashCount - one.crashCount)
  }

  async function listMissing(app: CrashApplication) {
    return (await server.call('GET', `/v1/applications/${app.id}/missingSymbols`)).json
  }

  const results: unknown[] = []
  for (const [way, upload] of Object.entries(uploads)) {
    it(`shows source lines and inlined calls when the dSYM came first, by ${way}`, async () => {
      const alias = `first-${way}`
      const app = await createCrashApplication(server, alias, 'ios')
      await upload(alias)
      await sendCrashes(app)
      assert.deepEqual(await listMissing(app), [])
      results.push(await describeGroups(app))
    })

    it(`names the missing dSYM, and reads the crashes again when it comes, by ${way}`, async () => {
      const alias = `last-${way}`
      const app = await createCrashApplication(server, alias, 'ios')
      await sendCrashes(app)
      const before = await describeGroups(app)
      assert.deepEqual(
        before.map(({ key, crashCount }) => [key, crashCount]),
        [[['crash', 'EXC_BAD_ACCESS', 'Shop'], 4]],
      )
      const release = { package: 'com.example.shop', shortVersion: '3.2', version: '47' }
      // The `.ips` report names the architecture as well, so its stack differs from the stack of the other two.
      const missing = { kind: 'dsym', codeId: null, uuid, name: 'Shop', ...release, stackCount: 3, crashCount: 4 }
      assert.deepEqual(await listMissing(app), [missing])
      for (const { missingSymbols } of await listAllCrashes(server, app.id)) assert.deepEqual(missingSymbols, [uuid])

      await upload(alias)
      const { json: intake } = await waitUntilRead(server, app.id)
      assert.equal(intake.waitingStackCount, 0)
      assert.deepEqual(await listMissing(app), [])
      results.push(await describeGroups(app))
      for (const crash of await listAllCrashes(server, app.id)) {
        assert.deepEqual(crash.missingSymbols, [])
        const [innermost] = crash.frames
        if (crash.sourceId === 'b'.repeat(32)) {
          assert.equal(innermost.function, 'main')
          continue
        }
        const lines = crash.frames.map(({ function: name, file, line, inlined }: Record<string, unknown>) => {
          return [name, file, line, inlined]
        })
        assert.deepEqual(lines, [
          ['round', 'money.h', 40, true],
          ['Money::add(int)', 'cart.cpp', 31, true],
          ['Cart::total()', 'cart.cpp', 12, false],
          ['main', 'cart.cpp', 52, false],
        ])
        assert.deepEqual(
          crash.frames.map(({ reported }: { reported: { imageOffset: string } | null }) => reported?.imageOffset),
          [undefined, undefined, '0x130', '0x1a4'],
        )
      }
    })
  }

  it('are in the same groups in whatever way and order they came', () => {
    const [first, ...others] = results
    assert.equal(others.length, 3)
    for (const other of others) assert.deepEqual(other, first)
    assert.ok(Array.isArray(first))
    const counts = first.map(({ crashCount, culprit }) => [crashCount, culprit])
    assert.deepEqual(counts, [
      [3, 'round'],
      [1, 'main'],
    ])
  })

  it('are explained to a coding agent: line, suspect commit and owner as soon as the dSYM is there', async () => {
    const app = await createCrashApplication(server, 'door', 'ios')
    const { first, guilty, other } = { first: 'a1'.repeat(20), guilty: 'b2'.repeat(20), other: 'c3'.repeat(20) }
    const builds: number[] = []
    for (const [version, commit] of [
      ['46', first],
      ['47', other],
    ] as const) {
      const headers = { 'X-Service-Branch': 'main', 'X-Service-Commit': commit }
      builds.push((await uploadIpa(server, { alias: 'door', ipa: { shortVersion: '3.2', version }, headers })).id)
    }
    const touching = (id: string, path: string, line: number) => {
      return { id, date: '2026-11-19T10:00:00Z', files: [{ path, status: 'M', hunks: [[line, 2]] }] }
    }
    const commits = [touching(other, 'Shop/Sources/money.h', 400), touching(guilty, 'Shop/Sources/money.h', 39)]
    const json = { base: first, head: other, commits }
    assert.equal((await server.call('PUT', `/v1/builds/${builds[1]}/commits`, { json })).status, 200)
    const owners = { content: 'Shop/Sources/ @shop/checkout\n' }
    assert.ok((await server.call('PUT', `/v1/applications/${app.id}/owners`, { json: owners })).status < 300)
    const earlier = { ...toSentryEvent(0x105000000, inMain, 'b'), release: 'com.example.shop@3.2+46' }
    await deliver(server, app, 'sentry-store', JSON.stringify(earlier))
    await deliver(server, app, 'sentry-store', JSON.stringify(toSentryEvent(0x104000000, inTotal, 'a')))
    await waitUntilRead(server, app.id)

    await using agent = await connectAgent(server)
    const question = { application: 'door', sourceId: 'a'.repeat(32) }
    const before = await agent.call('explain_crash', question)
    assert.deepEqual([before.location, before.suspects], [null, []])
    assert.equal(before.missingSymbols[0].uuid, uuid)
    assert.match(before.missingSymbols[0].command, /^fairlead symbols upload .* --app door$/)

    await uploads['http']?.('door')
    await waitUntilRead(server, app.id)
    const found = await agent.call('explain_crash', question)
    assert.deepEqual(
      [found.location.line, found.location.untrusted],
      [40, { file: 'money.h', function: 'round', path: 'Shop/Sources/money.h' }],
    )
    const toLines = (
      frames: { line: number; isInlined: boolean; isResolved: boolean; untrusted: { file: string } }[],
    ) => frames.map(({ line, isInlined, isResolved, untrusted }) => [untrusted.file, line, isInlined, isResolved])
    const lines = [
      ['money.h', 40, true, true],
      ['cart.cpp', 31, true, true],
      ['cart.cpp', 12, false, true],
      ['cart.cpp', 52, false, true],
    ]
    assert.deepEqual(toLines(found.frames), lines)
    assert.deepEqual([found.introduced.buildId, found.introduced.previousBuildId], [builds[1], builds[0]])
    const [suspect, next] = found.suspects
    assert.deepEqual([suspect.commit, suspect.reasons[0].code, next.commit], [guilty, 'line', other])
    assert.deepEqual(
      found.owners.map(({ untrusted }: { untrusted: { owners: string[] } }) => untrusted.owners),
      [['@shop/checkout']],
    )
    assert.deepEqual(found.missingSymbols, [])
    const crash = await agent.call('get_crash', { crashId: found.crash.crashId })
    assert.deepEqual(toLines(crash.frames), lines)
    const pasted = { application: 'door', report: toIps(0x107000000, inTotal), buildId: builds[1] }
    const read = await agent.call('symbolicate', pasted)
    assert.deepEqual([toLines(read.frames), read.suspects[0].commit], [lines, guilty])
  })

  const made = join(findFixtures() ?? '/nowhere', 'made')
  it(
    'of a real compiler and its dSYM are read by the tools as llvm-symbolizer reads them',
    { skip: existsSync(made) ? false : 'no fixtures' },
    async () => {
      const app = await createCrashApplication(server, 'compiled', 'ios')
      const bundle = join(made, 'out/exec-dwarf4/ShopApp.app.dSYM/Contents')
      const image = await readFile(join(bundle, 'Resources/DWARF/ShopApp'))
      const headers = { 'X-Service-Application-Alias': 'compiled' }
      const body = new Uint8Array(
        writeZip({
          'ShopApp.app.dSYM/Contents/Info.plist': await readFile(join(bundle, 'Info.plist')),
          'ShopApp.app.dSYM/Contents/Resources/DWARF/ShopApp': image,
        }),
      )
      assert.equal((await server.call('POST', '/v2/symbolsFiles', { headers, body })).status, 201)
      const report = await readFile(join(made, 'crash/exec-vmaddr-100000000.ips'), 'utf8')
      assert.equal((await server.call('POST', `/v1/applications/${app.id}/crashes`, { body: report })).status, 202)
      await waitUntilRead(server, app.id)
      const truth = await readFile(join(made, 'crash/exec-vmaddr-100000000.expected.json'), 'utf8')
      const isTrue = (file: string, line: number) => {
        const name = file.split('/').at(-1) ?? ''
        return new RegExp(`"file": "[^"]*\\b${RegExp.escape(name)}",\\s*"line": ${line}\\b`).test(truth)
      }
      await using agent = await connectAgent(server)
      const { crashGroups } = await agent.call('list_crashes', { application: 'compiled' })
      const found = await agent.call('explain_crash', { crashGroupId: crashGroups[0].crashGroupId })
      assert.ok(isTrue(found.location.untrusted.file, found.location.line), JSON.stringify(found.location))
      const pasted = await agent.call('symbolicate', { application: 'compiled', report })
      for (const { frames } of [found, pasted]) {
        const resolved = frames.filter((frame: { isResolved: boolean }) => frame.isResolved)
        assert.ok(resolved.length >= 3, JSON.stringify(frames))
        for (const { untrusted, line } of resolved) assert.ok(isTrue(untrusted.file, line), JSON.stringify(untrusted))
      }
    },
  )
})
