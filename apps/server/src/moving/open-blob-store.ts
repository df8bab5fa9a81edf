import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BlobStore } from '../blobs/blob-store.ts'
import { openFileStore } from '../blobs/file-store.ts'
import { openS3Store } from '../blobs/s3-store.ts'
import type { Config } from '../config.ts'

/** Opens the blobs beside a running server: without the lock on its folder, and with a cache folder of its own. */
export async function openBlobStore({ storage, dataDir }: Config): Promise<BlobStore & AsyncDisposable> {
  if (storage === null) return openFileStore(join(dataDir, 'blobs'))
  const cacheFolder = await mkdtemp(join(tmpdir(), 'fairlead-cache-'))
  const store = await openS3Store(storage, { cacheFolder, maxCacheBytes: 0 })
  return {
    ...store,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      await rm(cacheFolder, { recursive: true, force: true })
    },
  }
}
