import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { ApiError } from '@fairlead/contract'
import type { StagedFile } from './blob-store.ts'
import { isDiskFull } from './system-error.ts'

export interface ReceiveLimits {
  maxBytes: number
  /** How long the sender may say nothing. */
  idleMs: number
}

/** The folder of files on their way in. What a dead process left there is swept at the start. */
export interface Staging {
  /** Streams a body to a file while hashing it; the file is on the disk when this resolves, gone when it rejects. */
  receive(body: Readable, limits: ReceiveLimits): Promise<StagedFile>
  /** The same for bytes at hand. */
  write(bytes: Uint8Array): Promise<StagedFile>
  /** A folder for files that another part makes; it goes with all that is left in it. */
  openFolder(): Promise<StagedFolder>
  /** Hashes a file that is there and makes it durable. */
  adopt(path: string): Promise<StagedFile>
  discard(staged: Pick<StagedFile, 'path'>): Promise<void>
}

export interface StagedFolder extends AsyncDisposable {
  path: string
}

/** Small pieces are gathered to this size, so that a file costs few writes. */
const writeSize = 2 ** 20
/** The disk starts on what has come so far, so that little is left to wait for at the end. */
const flushEvery = 64 * 2 ** 20

export async function openStaging(folder: string): Promise<Staging> {
  await mkdir(folder, { recursive: true })
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true })
  const newPath = () => join(folder, randomUUID())
  const discard = (staged: Pick<StagedFile, 'path'>) => unlink(staged.path).catch(() => {})

  async function stage(fill: (file: FileHandle) => Promise<Omit<StagedFile, 'path'>>): Promise<StagedFile> {
    const path = newPath()
    try {
      await using file = await open(path, 'wx')
      const written = await fill(file)
      await file.datasync()
      return { path, ...written }
    } catch (error) {
      await discard({ path })
      if (isDiskFull(error)) throw new ApiError('insufficientStorage', { cause: error })
      throw error
    }
  }

  return {
    receive: (body, limits) => stage((file) => writeBody(file, body, limits)),
    write: (bytes) =>
      stage(async (file) => {
        await file.writeFile(bytes)
        return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
      }),
    async openFolder() {
      const path = newPath()
      await mkdir(path)
      return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
    },
    async adopt(path) {
      await using file = await open(path, 'r+')
      const hash = createHash('sha256')
      let size = 0
      for await (const chunk of file.createReadStream({ autoClose: false, highWaterMark: writeSize })) {
        hash.update(chunk as Buffer)
        size += (chunk as Buffer).length
      }
      await file.datasync()
      return { path, size, sha256: hash.digest('hex') }
    },
    discard,
  }
}

/** One write is under way while the next piece is received and hashed. */
async function writeBody(file: FileHandle, body: Readable, { maxBytes, idleMs }: ReceiveLimits) {
  const hash = createHash('sha256')
  let size = 0
  let flushed = 0
  let gathered: Buffer[] = []
  let gatheredSize = 0
  let writing: Promise<unknown> = Promise.resolve()
  let flushing: Promise<unknown> | undefined

  const write = async () => {
    const pieces = gathered
    gathered = []
    gatheredSize = 0
    await writing
    writing = writeAll(file, pieces)
    // The next await sees the failure; until then it must not count as unhandled.
    writing.catch(() => {})
  }

  try {
    for await (const chunk of readWithin(body, idleMs)) {
      size += chunk.length
      if (size > maxBytes) throw new ApiError('tooLarge')
      hash.update(chunk)
      gathered.push(chunk)
      gatheredSize += chunk.length
      if (gatheredSize >= writeSize) await write()
      if (size - flushed >= flushEvery && !flushing) {
        flushed = size
        flushing = file.datasync().finally(() => (flushing = undefined))
        flushing.catch(() => {})
      }
    }
    await write()
  } finally {
    await Promise.all([writing, flushing])
  }
  return { size, sha256: hash.digest('hex') }
}

async function writeAll(file: FileHandle, pieces: Buffer[]): Promise<void> {
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const { bytesWritten } = await file.writev(pieces)
  // The system may take a part only, as when the disk fills up; the rest then tells why.
  if (bytesWritten < size) await file.writeFile(Buffer.concat(pieces).subarray(bytesWritten))
}

/** The pieces of a body, ended by an error when none comes for too long. The body itself is left open, to be answered. */
async function* readWithin(body: Readable, idleMs: number): AsyncGenerator<Buffer> {
  const pieces = body.iterator({ destroyOnReturn: false })
  const { promise: silence, reject } = Promise.withResolvers<never>()
  silence.catch(() => {})
  const timer = setTimeout(() => reject(new ApiError('idleUpload')), idleMs)
  try {
    for (;;) {
      const next = (await Promise.race([pieces.next(), silence])) as IteratorResult<Buffer>
      if (next.done) return
      timer.refresh()
      yield next.value
    }
  } catch (error) {
    throw isHangUp(error) ? new ApiError('truncatedBody', { cause: error }) : error
  } finally {
    clearTimeout(timer)
    // Lets go of the stream, so that what else comes can be discarded. Waiting for it would wait for the silent sender.
    void pieces.return?.()
  }
}

function isHangUp(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')
  )
}
