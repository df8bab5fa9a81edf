/** The rows of blobs, and their counts of references. `records.ts` says in which order they change. */
import type { Kysely } from 'kysely'
import { isPostgres } from '../db/engine.ts'
import { selectInBatches } from '../db/in-batches.ts'
import type { Row, Schema } from '../db/schema.ts'

export type RetainedBlob = Pick<Row<'blobs'>, 'id' | 'key'>

/** Adds a reference to the bytes of a file, which get a row if they have none. */
export async function retainBlob(
  trx: Kysely<Schema>,
  file: Pick<Row<'blobs'>, 'key' | 'sha256' | 'size'>,
): Promise<RetainedBlob> {
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

/** Finds the digests of blobs by their ids. */
export async function findDigests(db: Kysely<Schema>, ids: number[]): Promise<Map<number, string>> {
  const rows = await selectInBatches(ids, (batch) =>
    db.selectFrom('blobs').select(['id', 'sha256']).where('id', 'in', batch).execute(),
  )
  return new Map(rows.map(({ id, sha256 }) => [id, sha256]))
}

/** Lists those of some keys that blobs or parts of unfinished uploads use. */
export async function listUsedKeys(db: Kysely<Schema>, keys: string[]): Promise<Set<string>> {
  const blobs = await db.selectFrom('blobs').select('key').where('key', 'in', keys).execute()
  const parts = await db.selectFrom('upload_parts').select('blob_key').where('blob_key', 'in', keys).execute()
  return new Set([...blobs.map((row) => row.key), ...parts.map((part) => part.blob_key)])
}

/** Drops all references of an application's rows. Returns the blobs with the references that are left. */
export async function decrementBlobs(
  trx: Kysely<Schema>,
  applicationId: number,
): Promise<Pick<Row<'blobs'>, 'id' | 'reference_count'>[]> {
  if (isPostgres(trx)) await lockApplicationBlobs(trx, applicationId)
  return trx
    .with('counted', (query) =>
      query
        .selectFrom(selectReferences(trx, applicationId).as('released'))
        .select((select) => ['blob_id', select.fn.countAll<number>().as('count')])
        .where('blob_id', 'is not', null)
        .groupBy('blob_id'),
    )
    .updateTable('blobs')
    .from('counted')
    .whereRef('counted.blob_id', '=', 'blobs.id')
    .set((update) => ({ reference_count: update('blobs.reference_count', '-', update.ref('counted.count')) }))
    .returning(['blobs.id', 'blobs.reference_count'])
    .execute()
}

/** PostgreSQL updates many rows in no particular order, so the rows are locked in the order of their digests first. */
async function lockApplicationBlobs(trx: Kysely<Schema>, applicationId: number): Promise<void> {
  await trx
    .selectFrom('blobs')
    .select('id')
    .where('id', 'in', selectReferences(trx, applicationId))
    .orderBy('sha256')
    .forUpdate()
    .execute()
}

/** Selects the blob of each reference that an application's rows hold, and null for rows without one. */
function selectReferences(trx: Kysely<Schema>, applicationId: number) {
  return trx
    .selectFrom('builds')
    .select('icon_blob_id as blob_id')
    .where('application_id', '=', applicationId)
    .unionAll(
      trx
        .selectFrom('builds')
        .select((select) => select.ref('blob_id').$castTo<number | null>().as('blob_id'))
        .where('application_id', '=', applicationId),
    )
    .unionAll(
      trx
        .selectFrom('symbols_files')
        .select((select) => select.ref('blob_id').$castTo<number | null>().as('blob_id'))
        .where('application_id', '=', applicationId),
    )
    .unionAll(trx.selectFrom('symbols_images').select('blob_id').where('application_id', '=', applicationId))
    .unionAll(trx.selectFrom('test_reports').select('blob_id').where('application_id', '=', applicationId))
    .unionAll(
      trx.selectFrom('test_reports').select('details_blob_id as blob_id').where('application_id', '=', applicationId),
    )
    .unionAll(trx.selectFrom('test_attachments').select('blob_id').where('application_id', '=', applicationId))
    .unionAll(
      trx
        .selectFrom('feedback_pictures')
        .innerJoin('feedback', 'feedback.id', 'feedback_pictures.feedback_id')
        .select((select) => select.ref('feedback_pictures.blob_id').$castTo<number | null>().as('blob_id'))
        .where('feedback.application_id', '=', applicationId),
    )
}

/** Deletes the rows of blobs that nothing refers to. Returns the keys to remove after the commit. */
export async function deleteBlobRows(trx: Kysely<Schema>, ids: number[]): Promise<string[]> {
  const deleted = await selectInBatches(ids, (batch) =>
    trx.deleteFrom('blobs').where('id', 'in', batch).returning('key').execute(),
  )
  return deleted.map((blob) => blob.key)
}

export type StoredBlob = Pick<Row<'blobs'>, 'key' | 'sha256' | 'size'>

export async function findBlobRow(db: Kysely<Schema>, id: number): Promise<StoredBlob | undefined> {
  return db.selectFrom('blobs').select(['key', 'sha256', 'size']).where('id', '=', id).executeTakeFirst()
}
