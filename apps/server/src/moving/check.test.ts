import assert from 'node:assert/strict'
import { appendFile, mkdir, mkdtemp, open, readdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Config } from '../config.ts'
import { readArchive } from './archive.ts'
import { createApk, createApplication } from '../testing/upload.ts'
import { fill, openTarget, otherToken, run, serveAt, toTestServer } from '../testing/installations.ts'

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

describe('an unfinished upload', { skip: process.env['FAIRLEAD_TEST_STORAGE_URL'] !== undefined }, () => {
  const tus = { 'Tus-Resumable': '1.0.0', 'Content-Type': 'application/offset+octet-stream' }
  const withToken = { ...tus, 'X-Service-Token': otherToken }

  it('passes the check, is left out of exports and backups, and is finished afterwards', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fairlead-unfinished-'))
    await using target = await openTarget(folder)
    const { config } = target
    const apk = createApk()
    const path = await beginUpload(config, apk, 1000)
    assert.equal((await run(config, 'check', undefined, '--bytes')).code, 0)
    assert.equal((await run(config, 'check', undefined, '--repair')).code, 0)
    const archive = join(folder, 'all.tar')
    assert.equal((await run(config, 'export', archive)).code, 0)
    const names = await Array.fromAsync(readArchive(archive), ({ name }) => name)
    assert.deepEqual(
      names.filter((name) => /upload|-part/.test(name)),
      [],
    )
    if (config.databaseUrl === null) {
      const copy = join(folder, 'backup')
      assert.equal((await run(config, 'backup', copy)).code, 0)
      const restored = { ...config, dataDir: copy }
      assert.equal((await run(restored, 'check', undefined, '--bytes')).code, 0)
      await using server = await serveAt(restored)
      const answer = await fetch(server.url + path, { method: 'HEAD', headers: withToken })
      assert.equal(answer.status, 404)
    }
    await using server = await serveAt(config)
    const body = apk.subarray(1000)
    const headers = { ...withToken, 'Upload-Offset': '1000', Prefer: 'return=representation' }
    const answer = await fetch(server.url + path, { method: 'PATCH', headers, body })
    assert.equal(answer.status, 201)
    await rm(folder, { recursive: true, force: true })
  })

  it('that has lost bytes is reported and can be removed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fairlead-unfinished-'))
    await using target = await openTarget(folder)
    const { config } = target
    const path = await beginUpload(config, createApk(), 1000)
    const blobs = join(config.dataDir, 'blobs')
    const files = await readdir(blobs, { recursive: true })
    for (const file of files.filter((name) => name.endsWith('-part'))) await rm(join(blobs, file))
    const found = await run(config, 'check')
    assert.equal(found.code, 3)
    assert.match(found.text, new RegExp(`upload ${path.split('/').at(-1)} has lost bytes$`, 'm'))
    assert.equal((await run(config, 'check', undefined, '--repair')).code, 0)
    assert.equal((await run(config, 'check')).code, 0)
    await rm(folder, { recursive: true, force: true })
  })

  /** Sends the first bytes of a file to a new application, and returns the path of the upload. */
  async function beginUpload(config: Config, apk: Uint8Array<ArrayBuffer>, size: number): Promise<string> {
    await using server = await serveAt(config)
    await createApplication(toTestServer(server.url, otherToken), 'shop')
    const started = await fetch(`${server.url}/v2/uploads`, {
      method: 'POST',
      headers: { ...withToken, 'Upload-Length': String(apk.length), 'X-Service-Application-Alias': 'shop' },
    })
    const path = started.headers.get('location') ?? ''
    const headers = { ...withToken, 'Upload-Offset': '0' }
    const answer = await fetch(server.url + path, { method: 'PATCH', headers, body: apk.subarray(0, size) })
    assert.equal(answer.status, 204)
    return path
  }
})

async function listBlobKeys(config: Config): Promise<{ blobs: string[] }> {
  const path = join(config.dataDir, 'keys.tar')
  await run(config, 'export', path)
  const names = await Array.fromAsync(readArchive(path), ({ name }) => name)
  await using _file = await open(path)
  return { blobs: names.filter((name) => name.startsWith('blobs/')).map((name) => name.slice('blobs/'.length)) }
}
