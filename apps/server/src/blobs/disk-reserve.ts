import { randomBytes } from 'node:crypto'
import { open, stat, statfs, unlink } from 'node:fs/promises'
import { isOutOfSpace } from '../db/out-of-space.ts'

/**
 * Free space on the data folder's disk for everything but uploads: the database's write-ahead log, deletions and counts
 * of downloads. An upload that would use it is refused. A small file, the ballast, gives deletions room when something
 * else has filled the disk.
 */
export interface DiskReserve {
  /** Tells whether an upload may take this many bytes more without touching the reserve. */
  hasRoomFor(bytes: number): Promise<boolean>
  /** Runs a deletion; when the disk is full, deletes the ballast and runs it again. */
  delete<Result>(run: () => Promise<Result>): Promise<Result>
}

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

  return {
    async hasRoomFor(wanted) {
      if (!hasBallast) await writeBallast().catch(() => {})
      return (await readFree()) >= wanted + reserve
    },
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
