import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { AppContext } from '../context.ts'
import type { Schema } from '../db/schema.ts'
import type { StagedFile } from './blob-store.ts'

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
export async function keepFile({ blobs }: Pick<AppContext, 'blobs'>, staged: StagedFile): Promise<KeptFile> {
  const key = `${staged.sha256}-${randomBytes(6).toString('hex')}`
  await blobs.keep(staged, key)
  return { key, sha256: staged.sha256, size: staged.size }
}

/**
 * Adds a reference to the bytes. When the returned key differs, equal bytes were already stored and the new copy can be
 * removed.
 */
export async function retainBlob(trx: Kysely<Schema>, file: KeptFile): Promise<{ id: number; key: string }> {
  return trx
    .insertInto('blobs')
    .values({ key: file.key, sha256: file.sha256, size: file.size, reference_count: 1, created_at: Date.now() })
    .onConflict((conflict) =>
      conflict.column('sha256').doUpdateSet((update) => ({ reference_count: update('blobs.reference_count', '+', 1) })),
    )
    .returning(['id', 'key'])
    .executeTakeFirstOrThrow()
}

/** Drops one reference. Returns the key when it was the last one; the caller removes that key after the commit. */
export async function releaseBlob(trx: Kysely<Schema>, id: number): Promise<string | undefined> {
  const blob = await trx
    .updateTable('blobs')
    .set((update) => ({ reference_count: update('reference_count', '-', 1) }))
    .where('id', '=', id)
    .returning(['key', 'reference_count'])
    .executeTakeFirstOrThrow()
  if (blob.reference_count > 0) return undefined
  await trx.deleteFrom('blobs').where('id', '=', id).execute()
  return blob.key
}

/** Removes blobs that no row refers to. Failures are logged and left to the sweep at the next start. */
export async function removeKeys(
  { blobs, log }: Pick<AppContext, 'blobs' | 'log'>,
  keys: Iterable<string>,
): Promise<void> {
  for (const key of keys) {
    try {
      await blobs.remove(key)
    } catch (error) {
      log.warn({ err: error, key }, 'blob not removed')
    }
  }
}

const sweepBatch = 500

/** Removes blobs without a row that are older than `before`: a process died between storing and committing them. */
export async function sweepOrphans(context: Pick<AppContext, 'blobs' | 'db' | 'log'>, before: number): Promise<number> {
  let removed = 0
  let batch: string[] = []
  const flush = async () => {
    const rows = await context.db.selectFrom('blobs').select('key').where('key', 'in', batch).execute()
    const named = new Set(rows.map((row) => row.key))
    const orphans = batch.filter((key) => !named.has(key))
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
