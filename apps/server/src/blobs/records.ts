import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Schema } from '../db/schema.ts'
import type { BlobStore, StagedFile } from './blob-store.ts'
import {
  decrementBlobs,
  deleteBlobRows,
  findBlobRow,
  findDigests,
  listUsedKeys,
  releaseBlob,
  type RetainedBlob,
  retainBlob,
  type StoredBlob,
} from './record-store.ts'
import { StorageError } from './storage-error.ts'
import { isMissing } from './system-error.ts'

/** The part of the application context that blobs need. */
export interface BlobContext {
  blobs: BlobStore
  db: Kysely<Schema>
  log: Logger
}

/** A blob that is in the store but has no row yet. */
export interface KeptFile {
  key: string
  sha256: string
  size: number
}

/**
 * Moves a staged file into the store under a key of its own, even when equal bytes are already stored. The transaction
 * that writes the row decides which copy stays, so a concurrent deletion cannot remove the bytes of an upload. See
 * decision 001.
 */
export async function keepFile({ blobs }: Pick<BlobContext, 'blobs'>, staged: StagedFile): Promise<KeptFile> {
  const key = `${staged.sha256}-${randomBytes(6).toString('hex')}`
  await blobs.keep(staged, key)
  return { key, sha256: staged.sha256, size: staged.size }
}

// Transactions that lock an application and blobs lock the application first and then the blobs in the order of their
// digests, so that no two of them can wait for each other.

/**
 * Adds a reference to the bytes of each file and returns a function that finds a file's row. When the key of the row
 * differs from the file's, equal bytes were already stored and the new copy can be removed.
 */
export async function retainBlobs(trx: Kysely<Schema>, files: KeptFile[]): Promise<(file: KeptFile) => RetainedBlob> {
  const rows = new Map<string, RetainedBlob>()
  const byDigest = files.toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1))
  for (const file of byDigest) rows.set(file.key, await retainBlob(trx, file))
  return ({ key }) => {
    const row = rows.get(key)
    if (!row) throw new Error(`no reference was added to the blob ${key}`)
    return row
  }
}

/** Drops one reference for each id that is not null. Returns the keys to remove after the commit. */
export async function releaseBlobs(trx: Kysely<Schema>, ids: (number | null)[]): Promise<string[]> {
  const blobIds = ids.filter((id) => id !== null)
  const digestOf = await findDigests(trx, blobIds)
  const byDigest = blobIds.toSorted((a, b) => ((digestOf.get(a) ?? '') < (digestOf.get(b) ?? '') ? -1 : 1))
  const keys: string[] = []
  for (const id of byDigest) {
    const key = await releaseBlob(trx, id)
    if (key !== undefined) keys.push(key)
  }
  return keys
}

/**
 * Drops all references that the builds, symbols files and test reports of an application hold. Returns the ids of the
 * blobs that nothing refers to any more; pass them to `deleteBlobs` after deleting the application, because its rows
 * still name them.
 */
export async function releaseApplicationBlobs(trx: Kysely<Schema>, applicationId: number): Promise<number[]> {
  const released = await decrementBlobs(trx, applicationId)
  return released.filter((blob) => blob.reference_count === 0).map((blob) => blob.id)
}

/** Deletes the rows of blobs that nothing refers to. Returns the keys to remove after the commit. */
export async function deleteBlobs(trx: Kysely<Schema>, ids: number[]): Promise<string[]> {
  return deleteBlobRows(trx, ids)
}

export async function findBlob(db: Kysely<Schema>, id: number): Promise<StoredBlob | undefined> {
  return findBlobRow(db, id)
}

/** Tells whether reading a blob failed because its row was deleted after the caller had found it. */
export async function isDeletedMeanwhile(db: Kysely<Schema>, id: number, error: unknown): Promise<boolean> {
  return isMissing(error) && (await findBlob(db, id)) === undefined
}

/**
 * Removes blobs that no row refers to. Failures are logged and left to the sweep, and so is the rest when the store
 * does not answer: each further blob would wait as long.
 */
export async function removeKeys(
  { blobs, log }: Pick<BlobContext, 'blobs' | 'log'>,
  keys: Iterable<string>,
): Promise<void> {
  for (const key of keys) {
    try {
      await blobs.remove(key)
    } catch (error) {
      log.warn({ err: error, key }, 'blob not removed')
      if (error instanceof StorageError && error.code === 'STORAGE_UNAVAILABLE') return
    }
  }
}

const sweepBatch = 500

/** Removes blobs without a row that are older than `before`: a process died between storing and committing them. */
export async function sweepOrphans(
  context: Pick<BlobContext, 'blobs' | 'db' | 'log'>,
  before: number,
): Promise<number> {
  await context.blobs.abortUnfinished(before)
  let removed = 0
  let batch: string[] = []
  const flush = async () => {
    const usedKeys = await listUsedKeys(context.db, batch)
    const orphans = batch.filter((key) => !usedKeys.has(key))
    batch = []
    removed += orphans.length
    await removeKeys(context, orphans)
  }
  for await (const { key, modifiedAt } of context.blobs.list()) {
    if (modifiedAt >= before) continue
    batch.push(key)
    if (batch.length >= sweepBatch) await flush()
  }
  if (batch.length > 0) await flush()
  return removed
}
