/**
 * Stores blobs as files named `blobs/ab/abcdef…`. The first two hexadecimal digits are a subfolder, which keeps folders
 * small.
 */
import { createReadStream } from 'node:fs'
import { access, constants, mkdir, open, opendir, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createPartKey, toBlobPath } from './blob-path.ts'
import { writeOut } from './write-out.ts'
import { isMissing } from './system-error.ts'
import type { BlobStore, ByteRange, StagedFile, StoredBlob } from './blob-store.ts'

/** Bytes per read. Smaller reads leave disk and socket waiting for each other; larger ones measured no faster. */
const readSize = 2 ** 20

export async function openFileStore(folder: string): Promise<BlobStore & AsyncDisposable> {
  await mkdir(folder, { recursive: true })
  const pathOf = (key: string) => join(folder, toBlobPath(key))

  return {
    async keep(staged: StagedFile, key: string) {
      const path = pathOf(key)
      try {
        await rename(staged.path, path)
      } catch (error) {
        if (!isMissing(error)) throw error
        // Nearly always the subfolder exists, so it is made only now: each step waits for a turn of the event loop.
        await mkdir(dirname(path), { recursive: true })
        await syncFolder(folder)
        await rename(staged.path, path)
      }
      await syncFolder(dirname(path))
    },

    async createPart() {
      const key = createPartKey()
      const path = pathOf(key)
      const made = await mkdir(dirname(path), { recursive: true })
      if (made !== undefined) await syncFolder(folder)
      let isSaved = false
      return {
        path,
        maxRange: Infinity,
        async save(start) {
          if (!isSaved) await syncFolder(dirname(path))
          isSaved = true
          return { key, position: start }
        },
        async [Symbol.asyncDispose]() {
          if (!isSaved) await unlink(path).catch(() => {})
        },
      }
    },

    async read(key: string, range?: ByteRange) {
      const file = await open(pathOf(key))
      return createReadStream('', { fd: file, highWaterMark: readSize, ...range })
    },

    async openSource(key: string) {
      const file = await open(pathOf(key))
      return {
        writeTo: (destination, range) => writeOut(file, destination, range),
        [Symbol.asyncDispose]: () => file.close(),
      }
    },

    async open(key: string) {
      const path = pathOf(key)
      await stat(path)
      return { path, async [Symbol.asyncDispose]() {} }
    },

    async remove(key: string) {
      try {
        await unlink(pathOf(key))
        return true
      } catch (error) {
        if (isMissing(error)) return false
        throw error
      }
    },

    list: () => listFiles(folder),

    // Files that are still being received are in the staging folder, never in the store.
    abortUnfinished: async () => 0,

    async check() {
      await access(folder, constants.R_OK | constants.W_OK)
    },

    async [Symbol.asyncDispose]() {},
  }
}

async function* listFiles(folder: string): AsyncGenerator<StoredBlob> {
  for await (const entry of await opendir(folder, { recursive: true })) {
    if (!entry.isFile()) continue
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => undefined)
    if (found) yield { key: entry.name, modifiedAt: found.mtimeMs }
  }
}

/** A rename is durable only after its folder has been synced too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  // A descriptor that was only read from has nothing to lose when it closes, so nobody waits for that.
  await folder.sync().finally(() => void folder.close().catch(() => {}))
}
