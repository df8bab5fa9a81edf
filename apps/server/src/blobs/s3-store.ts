/** Blobs as objects of an S3-compatible store: `{prefix}ab/abcdef…`, laid out like the files of the file store. */
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createPartKey, toBlobPath } from './blob-path.ts'
import type { BlobStore, ByteRange, StagedFile, StoredBlob } from './blob-store.ts'
import { LocalCache } from './local-cache.ts'
import type { S3Location } from '../settings/s3-location.ts'
import { openS3Objects, type S3Objects } from './s3-objects.ts'
import { readRange, uploadStagedFile } from './s3-upload.ts'
import { toStorageError } from './storage-error.ts'
import { isMissing } from './system-error.ts'

export interface S3StoreOptions {
  /** A folder of this process alone, for the copies that readers seek in. */
  cacheFolder: string
  /** How many bytes of copies are kept. */
  maxCacheBytes: number
}

/** The largest part of an unfinished upload, which is held in memory while it is stored. */
const maxPartBytes = 16 * 2 ** 20

export async function openS3Store(location: S3Location, options: S3StoreOptions): Promise<BlobStore & AsyncDisposable> {
  const objects = await openS3Objects(location)
  const cache = await LocalCache.open(options.cacheFolder, {
    maxBytes: options.maxCacheBytes,
    fetch: (key, path) => download(objects, toBlobPath(key), path),
  })
  const parts = join(options.cacheFolder, 'parts')
  await mkdir(parts, { recursive: true })

  return {
    async keep(staged: StagedFile, key: string) {
      await uploadStagedFile(objects, staged, toBlobPath(key))
      await unlink(staged.path)
    },

    async createPart() {
      const path = join(parts, randomUUID())
      return {
        path,
        maxRange: maxPartBytes,
        async save(start, size) {
          const key = createPartKey()
          await using file = await open(path)
          await objects.put(toBlobPath(key), await readRange(file, start, size))
          return { key, position: 0 }
        },
        [Symbol.asyncDispose]: () => rm(path, { force: true }),
      }
    },

    async read(key: string, range?: ByteRange) {
      return objects.get(toBlobPath(key), range)
    },

    async openSource(key: string) {
      await objects.findSize(toBlobPath(key))
      return {
        writeTo: async (destination, range) => writeRange(await objects.get(toBlobPath(key), range), destination),
        async [Symbol.asyncDispose]() {},
      }
    },

    open: (key: string) => cache.use(key),

    async remove(key: string) {
      await cache.forget(key)
      try {
        // The store reports no error when it deletes a missing object, so a request for the size checks that it exists.
        await objects.findSize(toBlobPath(key))
      } catch (error) {
        if (isMissing(error)) return false
        throw error
      }
      await objects.remove(toBlobPath(key))
      return true
    },

    async *list(): AsyncGenerator<StoredBlob> {
      for await (const { key, modifiedAt } of objects.list()) yield { key: key.slice(3), modifiedAt }
    },

    async abortUnfinished(before: number) {
      let aborted = 0
      for await (const { key, uploadId, startedAt } of objects.listUnfinished()) {
        if (startedAt >= before) continue
        await objects.abortUpload(key, uploadId)
        aborted++
      }
      return aborted
    },

    presign: (key, download) => objects.presign(toBlobPath(key), download),

    check: () => objects.check(),

    async [Symbol.asyncDispose]() {
      objects.close()
    },
  }
}

async function download(objects: S3Objects, key: string, path: string): Promise<number> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  try {
    await pipeline(await objects.get(key), file)
  } catch (error) {
    file.destroy()
    // A full disk and a missing object keep their codes; a connection that broke becomes the store's failure.
    if (error instanceof Error && 'syscall' in error && error.syscall === 'write' && 'path' in error) throw error
    throw toStorageError(error)
  }
  return file.bytesWritten
}

/** Writes a stream to a destination and leaves the destination open. Waits whenever the destination is full. */
async function writeRange(source: Readable, destination: Writable): Promise<void> {
  const { promise: closed, reject } = Promise.withResolvers<never>()
  closed.catch(() => {})
  const giveUp = () => reject(new Error('the destination was closed'))
  destination.once('close', giveUp)
  if (destination.destroyed) giveUp()
  try {
    const pieces = source[Symbol.asyncIterator]()
    for (;;) {
      const { done, value } = (await Promise.race([pieces.next(), closed])) as IteratorResult<Buffer>
      if (done === true) break
      await Promise.race([writePiece(destination, value), closed])
    }
  } finally {
    destination.off('close', giveUp)
    source.destroy()
  }
}

function writePiece(destination: Writable, piece: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    destination.write(piece, (error) => (error ? reject(error) : resolve()))
  })
}
