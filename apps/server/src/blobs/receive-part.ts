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
  /** With a checksum, nothing is saved before the whole body has arrived and matches it. */
  checksum: Checksum | null
  /** The longest range that is saved at once. */
  maxRange: number
  /** Stores a range, which is durable on this machine already. Called for one range after the other. */
  save: (start: number, size: number) => Promise<void>
  /** Takes room for this many bytes in all; returns a promise while the sender must wait. It rejects without room. */
  requireRoom: (size: number) => Promise<void> | undefined
}

/**
 * A save begins after this many bytes, unless one is running. A process that dies loses the bytes that are not saved.
 */
const savedAfter = 32 * 2 ** 20
/**
 * Back-pressure: with this many bytes unsaved, the sender waits until the running save ends. Only a sender that is
 * faster than the disk gets this far, and it sends them again in less than a second.
 */
const maxUnsaved = 256 * 2 ** 20

/**
 * Receives bytes of an unfinished upload into a file and saves them while they arrive. When the body breaks off, what
 * has arrived is saved before the failure is thrown.
 */
export async function receivePart(
  file: NewFile,
  body: Readable,
  { maxBytes, idleMs, checksum, maxRange, save, requireRoom }: PartOptions,
): Promise<{ size: number; sha256: string }> {
  const hash = checksum && createHash(checksum.algorithm)
  let size = 0
  let saved = 0
  let saving: Promise<void> | undefined

  const saveUpTo = async (end: number) => {
    while (saved < end) {
      const length = Math.min(maxRange, end - saved)
      await save(saved, length)
      saved += length
    }
  }
  /** Saves what has arrived so far, while more arrives. */
  const startSave = () => {
    const end = size
    const started = file.sync().then(() => saveUpTo(end))
    saving = started
    // The failure stays in `saving`, so the next piece that waits for the save, or the end of the body, reports it.
    started.then(
      () => (saving = undefined),
      () => {},
    )
  }
  const take = (piece: Buffer) => {
    if (size + piece.length > maxBytes) throw new ApiError('tooLarge')
    size += piece.length
    hash?.update(piece)
    const added = file.add(piece)
    const roomTaken = requireRoom(size)
    const written = roomTaken ? Promise.all([added, roomTaken]) : added
    if (hash !== null || size - saved < savedAfter) return written
    if (saving === undefined) {
      startSave()
      return written
    }
    return size - saved < maxUnsaved ? written : Promise.all([written, saving])
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
  await saving
  if (failure && hash) throw failure.error
  if (hash && checksum && !hash.digest().equals(checksum.digest)) throw new ApiError('checksumMismatch')
  await saveUpTo(size)
  if (failure) throw failure.error
  return { size, sha256 }
}
