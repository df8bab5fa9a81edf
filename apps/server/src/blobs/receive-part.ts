import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { ApiError } from '@fairlead/contract'
import type { NewFile } from './file-writer.ts'
import { receivePieces } from './receive-pieces.ts'

/** A digest that the sender has announced. */
export interface Checksum {
  algorithm: 'sha1' | 'sha256'
  digest: Buffer
}

export interface PartOptions {
  maxBytes: number
  /** The longest pause between two pieces of the body. */
  idleMs: number
  /** With a checksum, nothing is saved before the whole body has arrived and fits. */
  checksum: Checksum | null
  /** Called in order for the ranges of the file that are durable on this machine, at most `savedBytes` each. */
  save: (start: number, size: number) => Promise<void>
  /** @throws {ApiError} insufficientStorage */
  requireRoom: () => Promise<void>
}

/** Bytes of a range that is saved at once: what a process that dies loses at most, and the memory of an S3 part. */
export const savedBytes = 16 * 2 ** 20

/**
 * Receives bytes of an unfinished upload into a file and saves them while they arrive. When the body breaks off, what
 * has arrived is saved before the failure is thrown.
 */
export async function receivePart(
  file: NewFile,
  body: Readable,
  { maxBytes, idleMs, checksum, save, requireRoom }: PartOptions,
): Promise<{ size: number; sha256: string }> {
  const hash = checksum && createHash(checksum.algorithm)
  let size = 0
  let saved = 0
  let lastSave: Promise<void> = Promise.resolve()
  let scheduled = 0

  const saveUpTo = async (end: number) => {
    while (saved < end) {
      const length = Math.min(savedBytes, end - saved)
      await save(saved, length)
      saved += length
    }
  }
  const take = (piece: Buffer) => {
    if (size + piece.length > maxBytes) throw new ApiError('tooLarge')
    size += piece.length
    hash?.update(piece)
    const written = file.add(piece)
    if (hash !== null || size - scheduled < savedBytes) return written
    const [end, earlier, synced] = [size, lastSave, file.sync()]
    scheduled = end
    lastSave = Promise.all([earlier, synced]).then(() => saveUpTo(end))
    // The next save, or the end of the body, reports this failure.
    lastSave.catch(() => {})
    // Back-pressure: one range is saved while the next one arrives.
    return Promise.all([written, earlier, requireRoom()])
  }

  const failure = await receivePieces(body, idleMs, take).then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  let sha256: string
  try {
    sha256 = await file.finish()
  } catch (error) {
    await file.abandon().catch(() => {})
    throw error
  }
  await lastSave
  if (failure && hash) throw failure.error
  if (hash && checksum && !hash.digest().equals(checksum.digest)) throw new ApiError('checksumMismatch')
  await saveUpTo(size)
  if (failure) throw failure.error
  return { size, sha256 }
}
