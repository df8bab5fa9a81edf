import assert from 'node:assert/strict'
import { appendFile, mkdir, mkdtemp, open, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Config } from '../config.ts'
import { readArchive } from './archive.ts'
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

async function listBlobKeys(config: Config): Promise<{ blobs: string[] }> {
  const path = join(config.dataDir, 'keys.tar')
  await run(config, 'export', path)
  const names = await Array.fromAsync(readArchive(path), ({ name }) => name)
  await using _file = await open(path)
  return { blobs: names.filter((name) => name.startsWith('blobs/')).map((name) => name.slice('blobs/'.length)) }
}
