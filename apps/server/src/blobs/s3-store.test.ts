import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import { testBlobStore } from './blob-store.suite.ts'
import { parseS3Location, type S3Location } from '../settings/s3-location.ts'
import { openS3Objects } from './s3-objects.ts'
import { openS3Store } from './s3-store.ts'
import { openStaging } from './staging.ts'

const { FAIRLEAD_TEST_STORAGE_URL: url } = process.env

describe('an S3-compatible store', { skip: url === undefined && 'there is no S3 server' }, async () => {
  if (url === undefined) return
  const folder = await mkdtemp(join(tmpdir(), 'fairlead-s3-'))
  after(() => rm(folder, { recursive: true, force: true }))
  const openCaching = (location: S3Location, cacheFolder: string) =>
    openS3Store(location, { cacheFolder, maxCacheBytes: 2 ** 20 })
  const location = readLocation(url)
  const staging = await openStaging(join(folder, 'staging'))
  const store = await openCaching(location, join(folder, 'cache'))
  const objects = await openS3Objects(location)
  /** Bytes that differ from part to part, so that parts in the wrong order are found out. */
  const large = Buffer.alloc(
    21 * 2 ** 20,
    Uint8Array.from({ length: 8191 }, (_, index) => index % 251),
  )

  testBlobStore('the S3 store', (scratch) => openCaching(readLocation(url), join(scratch, 'cache')))

  it('uploads a file of several parts, and the parts come back in order', async () => {
    const staged = await staging.write(large)
    await store.keep(staged, 'ab-large')
    const digest = createHash('sha256').update(await buffer(await store.read('ab-large')))
    assert.equal(digest.digest('hex'), staged.sha256)
    assert.deepEqual(await Array.fromAsync(objects.listUnfinished()), [])
  })

  it('aborts an upload of several parts when one of them fails', async () => {
    const staged = await staging.write(large)
    // The last part cannot be read: the file is shorter than it says.
    await truncate(staged.path, large.length - 1)
    await assert.rejects(store.keep(staged, 'ac-broken'), /shorter than it was/)
    await assert.rejects(store.read('ac-broken'), { code: 'ENOENT' })
    assert.deepEqual(await Array.fromAsync(objects.listUnfinished()), [])
  })

  it('discards the unfinished uploads of processes that died, and keeps recent ones', async () => {
    const uploadId = await objects.startUpload('ad/ad-dead')
    await objects.uploadPart('ad/ad-dead', uploadId, 1, large.subarray(0, 5 * 2 ** 20))
    assert.equal(await store.abortUnfinished(Date.now() - 60_000), 0)
    assert.equal(await store.abortUnfinished(Date.now() + 60_000), 1)
    assert.deepEqual(await Array.fromAsync(objects.listUnfinished()), [])
  })

  it('completes an upload once more when the answer to its completion was lost', async () => {
    const { uploadStagedFile } = await import('./s3-upload.ts')
    const forgetful: typeof objects = {
      ...objects,
      async completeUpload(...completion) {
        await objects.completeUpload(...completion)
        throw new Error('the answer was lost')
      },
    }
    await uploadStagedFile(forgetful, await staging.write(large), 'ae/ae-completed')
    assert.equal(await objects.findSize('ae/ae-completed'), large.length)
  })

  it('gives a URL that downloads a part of a blob under its name, without our access keys', async () => {
    await store.keep(await staging.write(Buffer.from('0123456789')), 'af-shared')
    const address = await store.presign?.('af-shared', {
      contentType: 'application/vnd.android.package-archive',
      contentDisposition: 'attachment; filename="shop.apk"',
      expiresInSeconds: 60,
    })
    const response = await fetch(address ?? '', { headers: { range: 'bytes=-3' } })
    assert.equal(response.status, 206)
    assert.equal(await response.text(), '789')
    assert.equal(response.headers.get('content-type'), 'application/vnd.android.package-archive')
    assert.equal(response.headers.get('content-disposition'), 'attachment; filename="shop.apk"')
    assert.equal((await fetch(address?.replace(/\?.*/, '') ?? '')).status, 403)
  })

  it('is reported as unavailable when nobody answers, the keys are wrong, or there is no such bucket', async () => {
    for (const broken of [
      { ...location, endpoint: 'http://127.0.0.1:9' },
      { ...location, bucket: 'no-such-bucket-here' },
    ]) {
      const other = await openCaching(broken, join(folder, 'other-cache'))
      await assert.rejects(other.check(), { name: 'StorageError' })
      await assert.rejects(other.keep(await staging.write(large), 'ag-lost'), { name: 'StorageError' })
    }
  })
})

/** Gives every store a prefix of its own, because all stores share a bucket. */
function readLocation(text: string): S3Location {
  const location = parseS3Location(text)
  if (typeof location === 'string') throw new Error(`FAIRLEAD_TEST_STORAGE_URL ${location}`)
  return { ...location, prefix: `${randomUUID()}/` }
}
