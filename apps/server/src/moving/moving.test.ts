import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { readConfig } from '../config.ts'
import { startServer } from '../testing/start-server.ts'
import { uploadApk } from '../testing/upload.ts'
import { readArchive } from './archive.ts'
import { runCommand } from './command.ts'
import { fill, openTarget, otherToken, run, serveAt, toConfig, toDatabase } from '../testing/installations.ts'
import { readPieces } from '../blobs/byte-pieces.ts'
import { readAnswer } from '../testing/read-json.ts'
import { createSecondWorkspace } from '../testing/second-workspace.ts'

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
    await createSecondWorkspace(server)
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
      const applications = await readAnswer<{ alias: string; buildCount: number }[]>(answer)
      return applications.map(({ alias, buildCount }) => [alias, buildCount])
    }
    assert.deepEqual(await list(otherToken), [['other', 0]])
    assert.deepEqual(await list(server.token), [
      ['tested', 0],
      ['lantern', 1],
      ['shop', 3],
    ])
    const [own] = (await server.call('GET', '/v1/applications/1/latestLinks')).json
    const moved = await fetch(`${running.url}${new URL(own.url).pathname}/build.json`)
    const build = await readAnswer<{ sha256: string; id: number }>(moved)
    const shown = (await server.call('GET', `/v1/builds/${own.build.id}`)).json
    assert.equal(build.sha256, shown.sha256, 'the latest link keeps its address and its group')
  })

  it('refuses an archive of everything for a database that is not empty', async () => {
    await using target = await openTarget(folder)
    assert.equal((await run(target.config, 'import', archive)).code, 0)
    await assert.rejects(run(target.config, 'import', archive), /into an empty database only/)
  })

  it('resumes an export that was interrupted at any byte', async () => {
    // The copy has no server, which would run its jobs between two exports. On S3 it uses the same objects.
    await using copy = await openTarget(folder)
    const still = { ...copy.config, storage: server.storage }
    assert.equal((await run(still, 'import', archive)).code, 0)
    const fresh = join(folder, 'fresh.tar')
    assert.equal((await run(still, 'export', fresh)).code, 0)
    const whole = await readFile(fresh)
    for (const share of [0.01, 0.3, 0.6, 0.9, 0.999, 1]) {
      const path = join(folder, `cut-${share}.tar`)
      await writeFile(`${path}.part`, whole.subarray(0, Math.floor(whole.length * share)))
      assert.equal((await run(still, 'export', path)).code, 0)
      assert.deepEqual(await digest(path), await digest(fresh), `cut at ${share}`)
    }
  })

  it('refuses an archive with a changed byte, one that ends early, and a file that is no archive', async () => {
    const damaged = join(folder, 'damaged.tar')
    const whole = await readFile(archive)
    for (const from of [600, Math.floor(whole.length / 2), whole.length - 20_000]) {
      const at = findContent(whole, from)
      const copy = Buffer.from(whole)
      copy[at] = (copy[at] ?? 0) ^ 1
      await writeFile(damaged, copy)
      await using target = await openTarget(folder)
      await assert.rejects(run(target.config, 'import', damaged), Error, `byte ${at}`)
    }
    await writeFile(damaged, whole.subarray(0, whole.length / 2))
    await assert.rejects(run(source, 'verify', damaged), Error)
    await writeFile(damaged, 'no archive at all'.repeat(100))
    await assert.rejects(run(source, 'verify', damaged), /damaged\.tar is no archive of "fairlead-server export"/)
    await writeFile(damaged, 'no archive at all')
    await assert.rejects(run(source, 'verify', damaged), Error)
    await assert.rejects(run(source, 'verify', join(folder, 'nowhere.tar')), /nowhere\.tar does not exist$/)
  })

  it('refuses a folder without an installation instead of creating an empty one', async () => {
    const config = readConfig({ FAIRLEAD_DATA_DIR: join(folder, 'nowhere') })
    const output = { write: () => {}, error: () => {} }
    for (const args of [['check'], ['export', join(folder, 'no.tar')], ['backup', join(folder, 'no-backup')]]) {
      await assert.rejects(runCommand(args, config, output), /FAIRLEAD_DATA_DIR .* no fairlead\.db in .*nowhere/)
    }
    assert.equal(existsSync(config.dataDir), false)
  })

  it('refuses wrong words', async () => {
    for (const args of [['exprot', 'x'], ['export'], ['check', 'x'], ['export', 'x', '--workspace', 'one']]) {
      assert.equal(await runCommand(args, source, { write() {}, error() {} }), 2)
    }
  })
})

/** Finds a byte of a file in a tar archive, because a change of the zeros that fill its last block harms nothing. */
function findContent(archive: Buffer, from: number): number {
  for (let header = 0; header < archive.length;) {
    const size = Number.parseInt(archive.toString('latin1', header + 124, header + 136), 8)
    const start = header + 512
    if (start + size > from && size > 0) return Math.max(start, from)
    header = start + Math.ceil(size / 512) * 512
  }
  throw new Error(`no file ends after byte ${from}`)
}

describe('a backup of the embedded default', { skip: process.env['FAIRLEAD_TEST_DATABASE_URL'] !== undefined }, () => {
  it('is a data folder that starts, taken while uploads go on, and brought up to date by the next', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fairlead-backup-'))
    after(() => rm(folder, { recursive: true, force: true }))
    const server = await startServer({ FAIRLEAD_STORAGE_URL: '', FAIRLEAD_DOWNLOADS: '' })
    after(() => server[Symbol.asyncDispose]())
    await fill(server)
    await createSecondWorkspace(server)
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
    const list = await fetch(`${restored.url}/v1/applications/1/builds`, { headers })
    const builds = await readAnswer<{ id: number }[]>(list)
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

/** The digests of an archive's entries, except its manifest, which contains a time. */
async function digest(path: string): Promise<Record<string, string>> {
  const digests: Record<string, string> = {}
  for await (const { name, content } of readArchive(path)) {
    const hash = createHash('sha256')
    for await (const chunk of readPieces(content)) hash.update(chunk)
    if (name !== 'manifest.json' && name !== 'SHA256SUMS') digests[name] = hash.digest('hex')
  }
  return digests
}
