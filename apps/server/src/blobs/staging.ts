import { createHash, randomUUID } from 'node:crypto'
import { copyFile, link, mkdir, open, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { ApiError } from '@fairlead/contract'
import type { StagedFile } from './blob-store.ts'
import type { DiskReserve, Reservation } from './disk-reserve.ts'
import { FileWriter, type NewFile } from './file-writer.ts'
import { type PartOptions, receivePart } from './receive-part.ts'
import { receivePieces } from './receive-pieces.ts'
import { isDiskFull } from './system-error.ts'
import { readPieces } from './byte-pieces.ts'

export interface ReceiveLimits {
  maxBytes: number
  /** The longest pause between two pieces of a body. */
  idleMs: number
  /** The Content-Length, where the client sent one. */
  announcedSize?: number | undefined
}

/** The folder for files that are being received. */
export interface Staging extends AsyncDisposable {
  /**
   * Streams a body to a file and hashes it. When this resolves the file is durable; when it rejects the file is gone.
   * The body's pieces are consumed and must not be used elsewhere.
   */
  receive(body: Readable, limits: ReceiveLimits): Promise<StagedFile>
  /** Receives bytes of an unfinished upload into a new file. The caller deletes it. */
  receivePart(body: Readable, path: string, options: Omit<PartOptions, 'requireRoom'>): Promise<StagedFile>
  /** Copies an existing file to a new staged file. */
  copy(file: StagedFile): Promise<StagedFile>
  /** Writes bytes that are already in memory to a staged file. */
  write(bytes: Uint8Array): Promise<StagedFile>
  /**
   * Creates a folder for files that other code makes; disposing it deletes everything in it.
   *
   * @param bytes about how many bytes the files will take
   */
  openFolder(bytes: number): Promise<StagedFolder>
  /** Hashes an existing file and makes it durable. */
  adopt(path: string): Promise<StagedFile>
  discard(staged: Pick<StagedFile, 'path'>): Promise<void>
}

export interface StagedFolder extends AsyncDisposable {
  path: string
}

/** Bytes per read when an existing file is hashed. */
const hashSize = 2 ** 20

/** @param reserve room that uploads must leave; without it they may fill the disk */
export async function openStaging(folder: string, reserve?: DiskReserve): Promise<Staging> {
  await mkdir(folder, { recursive: true })
  const newPath = () => join(folder, randomUUID())
  const discard = (staged: Pick<StagedFile, 'path'>) => unlink(staged.path).catch(() => {})
  const writer = new FileWriter()

  async function stage(fill: (path: string) => Promise<Omit<StagedFile, 'path'>>): Promise<StagedFile> {
    const path = newPath()
    try {
      return { path, ...(await fill(path)) }
    } catch (error) {
      await discard({ path })
      if (isDiskFull(error)) throw new ApiError('insufficientStorage', { cause: error })
      throw error
    }
  }

  return {
    async receive(body, limits) {
      using room = await reserve?.take(limits.announcedSize ?? 0)
      return await stage(async (path) => writeBody(writer.create(path), body, limits, room))
    },
    async receivePart(body, path, options) {
      using room = await reserve?.take(0)
      const file = writer.create(path)
      try {
        const received = await receivePart(file, body, { ...options, requireRoom: (size) => room?.cover(size) })
        return { path, ...received }
      } catch (error) {
        if (isDiskFull(error)) throw new ApiError('insufficientStorage', { cause: error })
        throw error
      }
    },
    copy: ({ path: from, size, sha256 }) =>
      stage(async (path) => {
        // A hard link costs nothing; not every file system has them.
        await link(from, path).catch(async () => {
          using _room = await reserve?.take(size)
          await copyFile(from, path)
        })
        return { size, sha256 }
      }),
    write: (bytes) =>
      stage(async (path) => {
        using _room = await reserve?.take(bytes.length)
        const file = writer.create(path)
        try {
          // The writer takes the memory that it is given, so it gets a copy.
          void file.add(Buffer.from(bytes))
          return { size: bytes.length, sha256: await file.finish() }
        } catch (error) {
          await file.abandon().catch(() => {})
          throw error
        }
      }),
    async openFolder(bytes) {
      const room = await reserve?.take(bytes)
      const path = newPath()
      await mkdir(path)
      return {
        path,
        async [Symbol.asyncDispose]() {
          room?.[Symbol.dispose]()
          await rm(path, { recursive: true, force: true })
        },
      }
    },
    async adopt(path) {
      await using file = await open(path, 'r+')
      const hash = createHash('sha256')
      let size = 0
      for await (const chunk of readPieces(file.createReadStream({ autoClose: false, highWaterMark: hashSize }))) {
        hash.update(chunk)
        size += chunk.length
      }
      await file.datasync()
      return { path, size, sha256: hash.digest('hex') }
    },
    discard,
    [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose](),
  }
}

/** Receives, hashes and writes a body. On failure the body is left open, so that the request can still be answered. */
async function writeBody(
  file: NewFile,
  body: Readable,
  { maxBytes, idleMs }: ReceiveLimits,
  room: Reservation | undefined,
) {
  let size = 0
  const take = (piece: Buffer) => {
    size += piece.length
    if (size > maxBytes) throw new ApiError('tooLarge')
    const written = file.add(piece)
    const roomTaken = room?.cover(size)
    return roomTaken ? Promise.all([written, roomTaken]) : written
  }
  try {
    await receivePieces(body, idleMs, take)
    return { size, sha256: await file.finish() }
  } catch (error) {
    await file.abandon().catch(() => {})
    throw error
  }
}
