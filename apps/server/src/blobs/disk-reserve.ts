import { randomBytes } from 'node:crypto'
import { open, stat, statfs, unlink } from 'node:fs/promises'
import { ApiError } from '@fairlead/contract'
import { isOutOfSpace } from '../db/out-of-space.ts'

/**
 * Free space on the data folder's disk for everything but uploads: the database's write-ahead log, deletions and counts
 * of downloads. An upload that would use it is refused. A small file, the ballast, gives deletions room when something
 * else has filled the disk.
 */
export interface DiskReserve {
  /** Tells whether an upload may take this many bytes more without touching the reserve. */
  hasRoomFor(bytes: number): Promise<boolean>
  /**
   * Takes room for bytes that will be written. Everything that writes to the disk takes its room first, because several
   * writers that each found the same free space would use up the reserve together.
   *
   * @throws {ApiError} insufficientStorage
   */
  take(bytes: number): Promise<Reservation>
  /** Runs a deletion; when the disk is full, deletes the ballast and runs it again. */
  delete<Result>(run: () => Promise<Result>): Promise<Result>
}

/** Room for bytes that are not on the disk yet. Dispose of it when they are, or when the write was given up. */
export interface Reservation extends Disposable {
  /**
   * Is called with the bytes that were handed to the writer so far. Returns a promise while more room is being taken,
   * during which the sender must wait; it rejects with insufficientStorage.
   */
  cover(size: number): Promise<void> | undefined
}

/** The room that a growing file takes at a time. */
const block = 2 * 2 ** 20
/** The bytes of a file that may still be on their way to the disk when later ones are handed over. */
const underWay = 4 * 2 ** 20

export interface DiskReserveOptions {
  folder: string
  /** The file that is given up when the disk is full. */
  ballastPath: string
  /** The number of bytes to keep free; null for a twentieth of the disk, at most 256 MiB. */
  bytes: number | null
}

const usualReserve = 256 * 2 ** 20
const share = 1 / 20
/** This is enough for the write-ahead log of a deletion. */
const maxBallast = 4 * 2 ** 20

export async function openDiskReserve({ folder, ballastPath, bytes }: DiskReserveOptions): Promise<DiskReserve> {
  const { blocks, bsize } = await statfs(folder)
  const reserve = bytes ?? Math.min(usualReserve, Math.floor(blocks * bsize * share))
  const ballast = Math.min(maxBallast, Math.floor(reserve / 4))
  let hasBallast = false
  /** The bytes of all reservations that are not on the disk yet. */
  let taken = 0

  const readFree = async () => {
    const { bavail, bsize: blockSize } = await statfs(folder)
    return bavail * blockSize
  }
  /** Random bytes, because some file systems do not store zeros. */
  const writeBallast = async () => {
    if (ballast === 0 || (await readFree()) < reserve + ballast) return
    await using file = await open(ballastPath, 'w')
    await file.writeFile(randomBytes(ballast))
    hasBallast = true
  }

  hasBallast = await stat(ballastPath).then(
    ({ size }) => size >= ballast,
    () => false,
  )
  // The server also works without the ballast, so that it can start on a full disk.
  if (!hasBallast) await writeBallast().catch(() => {})

  const hasRoomFor = async (wanted: number) => {
    if (!hasBallast) await writeBallast().catch(() => {})
    const before = taken
    const free = await readFree()
    // Bytes that reached the disk meanwhile may be missing in `free`, so they count until it is read again.
    return free >= wanted + Math.max(before, taken) + reserve
  }

  const take = async (bytes: number): Promise<Reservation> => {
    let reserved = 0
    let written = 0
    const growTo = async (size: number) => {
      taken += size - reserved
      reserved = size
      if (!(await hasRoomFor(0))) throw new ApiError('insufficientStorage')
    }
    const reservation = {
      cover(size: number) {
        const settled = Math.min(Math.max(written, size - underWay), reserved)
        taken -= settled - written
        written = settled
        return size <= reserved ? undefined : growTo(size + block)
      },
      [Symbol.dispose]() {
        taken -= reserved - written
        written = reserved
      },
    }
    try {
      await growTo(bytes)
      return reservation
    } catch (error) {
      reservation[Symbol.dispose]()
      throw error
    }
  }

  return {
    hasRoomFor,
    take,
    async delete(run) {
      try {
        return await run()
      } catch (error) {
        if (!hasBallast || !isOutOfSpace(error)) throw error
        hasBallast = false
        await unlink(ballastPath).catch(() => {})
        return run()
      }
    },
  }
}
