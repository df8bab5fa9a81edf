import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { appendFile, mkdir, mkdtemp, open, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Config, readConfig } from '../config.ts'
import { serve } from '../serve.ts'
import { createSecondWorkspace } from '../testing/second-workspace.ts'
import { createCrashApplication, deliver, waitUntilRead } from '../testing/crashes.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { completeRun, uploadReport } from '../testing/test-reports.ts'
import { createApplication, uploadApk, uploadIpa } from '../testing/upload.ts'
import { readArchive } from './archive.ts'
import { runCommand } from './command.ts'
import { embeddedIds, looseReferences } from './loose-references.ts'
import { parseRowLine } from './row-json.ts'
import { openRowSource, type RawRow, type Table } from './row-source.ts'

describe('moving an installation', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fairlead-moving-'))
  const server = await startServer()
  after(async () => {
    await server[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })
  const source = toConfig({ FAIRLEAD_DATA_DIR: server.dataDir, ...toDatabase(server.databaseUrl) }, server)
  const archive = join(folder, 'all.tar')

  before(async () => {
    await fill(server)
    assert.equal((await run(source, 'export', archive)).code, 0)
  })

  it('writes an archive that both tar and fairlead-server find complete', async () => {
    assert.equal((await run(source, 'verify', archive)).code, 0)
    const names = await Array.fromAsync(readArchive(archive), ({ name }) => name)
    assert.ok(names.includes('rows/builds.ndjson') && names.some((name) => name.startsWith('blobs/')))
    assert.deepEqual([names.at(-1), names.includes('manifest.json')], ['SHA256SUMS', true])
  })

  it('copies every row and byte to an empty installation, where the same tokens and links work', async () => {
    await using target = await openTarget(folder)
    assert.equal((await run(target.config, 'import', archive)).code, 0)
    const again = join(folder, 'again.tar')
    assert.equal((await run(target.config, 'export', again)).code, 0)
    assert.deepEqual(await digest(again), await digest(archive))
    assert.equal((await run(target.config, 'check', undefined, '--bytes')).code, 0)
    await using running = await serveAt(target.config)
    const answer = await fetch(`${running.url}/v1/builds/1/binary`, { headers: { 'X-Service-Token': server.token } })
    const sent = await server.call('GET', '/v1/builds/1/binary')
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), sent.bytes)
    // A new build must not get an id that came with the archive.
    const headers = { 'X-Service-Token': server.token, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ name: 'New', alias: 'new', platform: 'android' })
    assert.equal((await fetch(`${running.url}/v1/applications`, { method: 'POST', headers, body })).status, 201)
  })

  it('adds a workspace beside another, with new ids, and uses equal bytes that exist already', async () => {
    const one = join(folder, 'one.tar')
    assert.equal((await run(source, 'export', one, '--workspace', '1')).code, 0)
    await using target = await openTarget(folder)
    {
      await using other = await serveAt(target.config)
      const headers = { 'X-Service-Token': otherToken, 'Content-Type': 'application/json' }
      const body = JSON.stringify({ name: 'Other', alias: 'other', platform: 'android' })
      assert.equal((await fetch(`${other.url}/v1/applications`, { method: 'POST', headers, body })).status, 201)
    }
    assert.equal((await run(target.config, 'import', one)).code, 0)
    assert.equal((await run(target.config, 'check', undefined, '--bytes')).code, 0)
    await using running = await serveAt(target.config)
    const list = async (token: string) => {
      const answer = await fetch(`${running.url}/v1/applications`, { headers: { 'X-Service-Token': token } })
      return ((await answer.json()) as { alias: string; buildCount: number }[]).map(({ alias, buildCount }) => [
        alias,
        buildCount,
      ])
    }
    assert.deepEqual(await list(otherToken), [['other', 0]])
    assert.deepEqual(await list(server.token), [
      ['tested', 0],
      ['lantern', 1],
      ['shop', 3],
    ])
  })

  it('renumbers every reference between the rows of a workspace, declared or not', async () => {
    const one = join(folder, 'renumbered.tar')
    assert.equal((await run(source, 'export', one, '--workspace', '1')).code, 0)
    await using target = await openTarget(folder)
    {
      await using other = await serveAt(target.config)
      await fill(toTestServer(other.url, otherToken))
    }
    assert.equal((await run(target.config, 'import', one)).code, 0)
    const again = join(folder, 'renumbered-again.tar')
    assert.equal((await run(target.config, 'export', again, '--workspace', '2')).code, 0)
    await using rows = await openRowSource(source)
    const before = await readPlainRows(one, rows.tables)
    assert.ok(['flips', 'streaks', 'crash_stacks', 'test_failures'].every((name) => before[name]?.length))
    assert.deepEqual(await readPlainRows(again, rows.tables), before)
  })

  it('lists every column that holds an id', async () => {
    await using rows = await openRowSource(source)
    const unknown = rows.tables.flatMap(({ name, columns, references }) => {
      const known = new Set([...references.map(({ column }) => column), ...Object.keys(looseReferences[name] ?? {})])
      return columns.filter((column) => column.endsWith('_id') && !known.has(column)).map((one) => `${name}.${one}`)
    })
    // The ids of crash reports, installs and mappings are texts of the apps.
    assert.deepEqual(unknown.toSorted(), ['crashes.install_id', 'crashes.source_id', 'symbols_files.debug_id'])
  })

  it('refuses an archive of everything for a database that is not empty', async () => {
    await using target = await openTarget(folder)
    assert.equal((await run(target.config, 'import', archive)).code, 0)
    await assert.rejects(run(target.config, 'import', archive), /into an empty database only/)
  })

  it('resumes an export that was interrupted at any byte', async () => {
    const fresh = join(folder, 'fresh.tar')
    assert.equal((await run(source, 'export', fresh)).code, 0)
    const whole = await readFile(fresh)
    for (const share of [0.01, 0.3, 0.6, 0.9, 0.999, 1]) {
      const path = join(folder, `cut-${share}.tar`)
      await writeFile(`${path}.part`, whole.subarray(0, Math.floor(whole.length * share)))
      assert.equal((await run(source, 'export', path)).code, 0)
      assert.deepEqual(await digest(path), await digest(fresh), `cut at ${share}`)
    }
  })

  it('refuses an archive with a changed byte, one that ends early, and a file that is no archive', async () => {
    const damaged = join(folder, 'damaged.tar')
    const whole = await readFile(archive)
    for (const at of [600, Math.floor(whole.length / 2), whole.length - 2000]) {
      const copy = Buffer.from(whole)
      copy[at] = (copy[at] ?? 0) ^ 1
      await writeFile(damaged, copy)
      await using target = await openTarget(folder)
      await assert.rejects(run(target.config, 'import', damaged), Error, `byte ${at}`)
    }
    await writeFile(damaged, whole.subarray(0, whole.length / 2))
    await assert.rejects(run(source, 'verify', damaged), Error)
    await writeFile(damaged, 'no archive at all')
    await assert.rejects(run(source, 'verify', damaged), Error)
  })

  it('answers wrong usage with the list of commands', async () => {
    for (const args of [['exprot', 'x'], ['export'], ['check', 'x'], ['export', 'x', '--workspace', 'one']]) {
      assert.equal(await runCommand(args, source, { write() {}, error() {} }), 2)
    }
  })
})

describe('the check of rows and blobs', { skip: process.env['FAIRLEAD_TEST_STORAGE_URL'] !== undefined }, () => {
  it('names what is missing, damaged, orphaned and wrongly counted, and repairs what can be repaired', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fairlead-check-'))
    await using target = await openTarget(folder)
    const blobs = join(target.config.dataDir, 'blobs')
    {
      await using server = await serveAt(target.config)
      await fill(toTestServer(server.url, otherToken))
    }
    const { blobs: keys } = await listBlobKeys(target.config)
    const [lost = '', broken = ''] = keys
    await rename(join(blobs, lost.slice(0, 2), lost), join(folder, 'lost'))
    await appendFile(join(blobs, broken.slice(0, 2), broken), 'x')
    await mkdir(join(blobs, '00'), { recursive: true })
    await writeFile(join(blobs, '00', `${'0'.repeat(64)}-orphan`), 'nobody')
    await new Promise((resolve) => setTimeout(resolve, 20))
    const found = await run(target.config, 'check', undefined, '--bytes')
    assert.equal(found.code, 3)
    assert.match(found.text, new RegExp(`missing ${lost}`))
    assert.match(found.text, new RegExp(`damaged ${broken}`))
    assert.match(found.text, /orphan 0{64}-orphan/)
    await truncate(
      join(blobs, broken.slice(0, 2), broken),
      (await stat(join(blobs, broken.slice(0, 2), broken))).size - 1,
    )
    await rename(join(folder, 'lost'), join(blobs, lost.slice(0, 2), lost))
    const repaired = await run(target.config, 'check', undefined, '--repair')
    assert.equal(repaired.code, 0, repaired.text)
    assert.equal((await run(target.config, 'check', undefined, '--bytes')).code, 0)
    await rm(folder, { recursive: true, force: true })
  })
})

describe('a backup of the embedded default', { skip: process.env['FAIRLEAD_TEST_DATABASE_URL'] !== undefined }, () => {
  it('is a data folder that starts, taken while uploads go on, and brought up to date by the next', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fairlead-backup-'))
    after(() => rm(folder, { recursive: true, force: true }))
    const server = await startServer({ FAIRLEAD_STORAGE_URL: '', FAIRLEAD_DOWNLOADS: '' })
    after(() => server[Symbol.asyncDispose]())
    await fill(server)
    const config = readConfig({ FAIRLEAD_DATA_DIR: server.dataDir })
    const copy = join(folder, 'backup')
    const uploads = Promise.all(
      [30, 31, 32].map((versionCode) => uploadApk(server, { alias: 'shop', apk: { versionCode } })),
    )
    assert.equal((await run(config, 'backup', copy)).code, 0)
    await uploads
    assert.equal((await run(config, 'backup', copy)).code, 0)
    await using restored = await serveAt(
      readConfig({ FAIRLEAD_DATA_DIR: copy, FAIRLEAD_PORT: '0', FAIRLEAD_LOG_LEVEL: 'silent' }),
    )
    const headers = { 'X-Service-Token': server.token }
    const builds = (await (await fetch(`${restored.url}/v1/applications/1/builds`, { headers })).json()) as {
      id: number
    }[]
    assert.equal(builds.length, 6)
    for (const { id } of builds) {
      const answer = await fetch(`${restored.url}/v1/builds/${id}/binary`, { headers })
      assert.deepEqual(
        Buffer.from(await answer.arrayBuffer()),
        (await server.call('GET', `/v1/builds/${id}/binary`)).bytes,
      )
    }
  })
})

const otherToken = 'fl_other-token-of-the-tests-9876543210abc'

interface Filled {
  call: TestServer['call']
}

/**
 * Fills an installation with rows of many kinds: two workspaces, equal bytes, symbols, testers, mails, release notes.
 */
async function fill(server: Filled & Partial<TestServer>): Promise<void> {
  const whole = server as TestServer
  await createApplication(whole, 'shop')
  await createApplication(whole, 'lantern', 'ios')
  const first = await uploadApk(whole, { alias: 'shop' })
  await uploadApk(whole, { alias: 'shop', apk: { versionCode: 2 } })
  await uploadApk(whole, { alias: 'shop', apk: { versionCode: 2 }, headers: { 'Idempotency-Key': 'k' } })
  await uploadIpa(whole, { alias: 'lantern', ipa: { bundleIdentifier: 'com.example.lantern' } })
  await server.call('PATCH', `/v2/builds/${first.id}`, { json: { releaseNotes: 'Größer, "schöner"\u2028' } })
  await server.call('POST', '/v1/distributionGroups', { json: { name: 'QA' } })
  await server.call('POST', '/v1/distributionGroups/1/testers', { json: { emails: ['ada@example.com'] } })
  const distribution = { distributionGroupIds: [1], notifyTesters: true }
  assert.equal((await server.call('POST', `/v1/builds/${first.id}/distribute`, { json: distribution })).status, 201)
  const mapping = await server.call('POST', '/v2/symbolsFiles', {
    headers: {
      'X-Service-Application-Alias': 'shop',
      'X-Service-Package': 'com.example.shop',
      'X-Service-Version-Name': '1.0',
      'X-Service-Version-Code': '1',
    },
    body: 'com.example.Shop -> a.a:\n    1:1:void pay():10:10 -> a\n',
  })
  assert.equal(mapping.status, 201, mapping.text)
  await fillCrashesAndTests(whole)
  if (server.token === undefined) return
  await createSecondWorkspace(whole)
}

/** A crash, and two runs of one commit in which a test fails and passes. */
async function fillCrashesAndTests(server: TestServer): Promise<void> {
  const application = await createCrashApplication(server, 'tested')
  const event = { event_id: 'a'.repeat(32), platform: 'java', level: 'fatal', release: 'com.example.shop@1.0+1' }
  const exception = { values: [{ type: 'IllegalStateException', value: 'closed' }] }
  const delivered = await deliver(server, application, 'sentry-store', JSON.stringify({ ...event, exception }))
  assert.equal(delivered.status, 200, delivered.text)
  await waitUntilRead(server, application.id)
  for (const cases of [[{ name: 'pays', failure: 'no money' }], [{ name: 'pays' }]]) {
    const report = await uploadReport(server, cases, { alias: 'tested', branch: 'main', commit: 'c'.repeat(40) })
    await completeRun(server, report.run.id)
  }
}

interface Target extends AsyncDisposable {
  config: Config
}

/** An empty installation on the engines that the tests run on. */
async function openTarget(folder: string): Promise<Target> {
  const dataDir = await mkdtemp(join(folder, 'target-'))
  const database = await createTestDatabase()
  return {
    config: toConfig({
      FAIRLEAD_DATA_DIR: dataDir,
      ...toDatabase(database.url),
    }),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

function toDatabase(url: string | null): Record<string, string> {
  return url === null ? {} : { FAIRLEAD_DATABASE_URL: url }
}

function toConfig(env: Record<string, string>, server?: TestServer): Config {
  const config = readConfig({
    FAIRLEAD_PORT: '0',
    FAIRLEAD_LOG_LEVEL: 'silent',
    FAIRLEAD_INITIAL_API_TOKEN: otherToken,
    ...env,
  })
  return server ? { ...config, storage: server.storage } : config
}

async function serveAt(config: Config): Promise<{ url: string } & AsyncDisposable> {
  const server = await serve(config)
  return { url: server.url, [Symbol.asyncDispose]: () => server.close() }
}

function toTestServer(url: string, token: string): Filled {
  return {
    async call(method, path, { headers = {}, json, body } = {}) {
      const response = await fetch(url + path, {
        method,
        headers: {
          'X-Service-Token': token,
          ...(json !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
        ...(body !== undefined && { body }),
      })
      const bytes = Buffer.from(await response.arrayBuffer())
      const text = bytes.toString('utf8')
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
      return {
        status: response.status,
        headers: response.headers,
        bytes,
        text,
        json: isJson ? JSON.parse(text) : undefined,
      }
    },
  }
}

async function run(config: Config, ...words: (string | undefined)[]) {
  const lines: string[] = []
  const args = words.filter((word) => word !== undefined)
  const code = await runCommand(args, config, { write: (line) => void lines.push(line), error: () => {} })
  return { code, text: lines.join('\n') }
}

/**
 * The rows of a workspace with their ids counted from the first row of each table, so that two archives of one
 * workspace are equal although its ids differ. Blobs are compared by their digests.
 */
async function readPlainRows(path: string, schema: Table[]): Promise<Record<string, unknown[]>> {
  const tables = new Map<string, RawRow[]>()
  for await (const { name, content } of readArchive(path)) {
    if (!name.startsWith('rows/')) continue
    const text = Buffer.concat(await Array.fromAsync(content as AsyncIterable<Buffer>)).toString()
    tables.set(name.slice('rows/'.length, -'.ndjson'.length), text.split('\n').filter(Boolean).map(parseRowLine))
  }
  const toPlace = (table: string, id: unknown) => {
    const rows = tables.get(table) ?? []
    const place = rows.findIndex((row) => row['id'] === id)
    return `${table} ${table === 'blobs' ? String(rows[place]?.['sha256']) : place}`
  }
  const toPlain = ({ name, references }: Table, row: RawRow) => {
    const own: Record<string, unknown> = { ...row, ...('id' in row && { id: toPlace(name, row['id']) }) }
    const loose = Object.entries(looseReferences[name] ?? {}).map(([column, target]) => ({
      column,
      table: typeof target === 'string' ? target : target(row),
    }))
    for (const { column, table } of [...references, ...loose]) {
      if (row[column] && table !== undefined) own[column] = toPlace(table, row[column])
    }
    for (const [column, renumber] of Object.entries(embeddedIds[name] ?? {})) {
      const places: string[] = []
      renumber(String(row[column] ?? '[]'), (table, id) => places.push(toPlace(table, id)))
      if (row[column] !== null) own[column] = places
    }
    return own
  }
  const plain = schema.map((table) => [table.name, (tables.get(table.name) ?? []).map((row) => toPlain(table, row))])
  // Equal bytes that were stored before keep their row.
  const blobs = tables.get('blobs')?.map(({ sha256 }) => sha256)
  return { ...(Object.fromEntries(plain) as Record<string, unknown[]>), blobs: blobs?.toSorted() ?? [] }
}

/** The digests of an archive's entries, except its manifest, which contains a time. */
async function digest(path: string): Promise<Record<string, string>> {
  const digests: Record<string, string> = {}
  for await (const { name, content } of readArchive(path)) {
    const hash = createHash('sha256')
    for await (const chunk of content) hash.update(chunk as Buffer)
    if (name !== 'manifest.json' && name !== 'SHA256SUMS') digests[name] = hash.digest('hex')
  }
  return digests
}

async function listBlobKeys(config: Config): Promise<{ blobs: string[] }> {
  const path = join(config.dataDir, 'keys.tar')
  await run(config, 'export', path)
  const names = await Array.fromAsync(readArchive(path), ({ name }) => name)
  await using _file = await open(path)
  return { blobs: names.filter((name) => name.startsWith('blobs/')).map((name) => name.slice('blobs/'.length)) }
}
