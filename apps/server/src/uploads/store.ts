import type { Insertable } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Row, Schema } from '../db/schema.ts'
import { whereGiven } from '../db/where-given.ts'

export type UploadRow = Row<'unfinished_uploads'>
export type PartRow = Row<'upload_parts'>

/** Finds an upload of a workspace that has not expired. */
export async function findUpload(db: Db, workspaceId: number, id: string, now: number): Promise<UploadRow | undefined> {
  return db
    .selectFrom('unfinished_uploads')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Counts the uploads of a workspace that are not a build yet, and the bytes that they announced. */
export async function sumUnfinished(db: Db, workspaceId: number): Promise<{ count: number; bytes: number }> {
  const { count, bytes } = await db
    .selectFrom('unfinished_uploads')
    .select((select) => [
      select.fn.countAll<number>().as('count'),
      select.fn.sum<number | string | null>('length').as('bytes'),
    ])
    .where('workspace_id', '=', workspaceId)
    .where('build_id', 'is', null)
    .executeTakeFirstOrThrow()
  // PostgreSQL's sum of bigint is numeric, which arrives as text.
  return { count, bytes: Number(bytes ?? 0) }
}

export async function insertUpload(db: Db, values: Insertable<Schema['unfinished_uploads']>): Promise<UploadRow> {
  return db.insertInto('unfinished_uploads').values(values).returningAll().executeTakeFirstOrThrow()
}

/** Moves the offset of an upload from the start of a part to its end. False when the offset is another by now. */
export async function insertPart(trx: Db, part: PartRow, expiresAt: number): Promise<boolean> {
  const moved = await trx
    .updateTable('unfinished_uploads')
    .set({ received: part.start + part.size, expires_at: expiresAt })
    .where('id', '=', part.upload_id)
    .where('received', '=', part.start)
    .where('build_id', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!moved) return false
  await trx.insertInto('upload_parts').values(part).execute()
  return true
}

/** Lists the parts of an upload in the order of their bytes. */
export async function listParts(db: Db, uploadId: string): Promise<PartRow[]> {
  return db.selectFrom('upload_parts').selectAll().where('upload_id', '=', uploadId).orderBy('start').execute()
}

/** Remembers the build of an upload and forgets its parts. Returns the keys to remove after the commit. */
export async function setBuild(trx: Db, id: string, buildId: number): Promise<string[]> {
  await trx.updateTable('unfinished_uploads').set({ build_id: buildId }).where('id', '=', id).execute()
  return deleteParts(trx, id)
}

/** Deletes an upload. Returns the keys to remove after the commit. */
export async function deleteUpload(trx: Db, id: string): Promise<string[]> {
  const keys = await deleteParts(trx, id)
  await trx.deleteFrom('unfinished_uploads').where('id', '=', id).execute()
  return keys
}

async function deleteParts(trx: Db, uploadId: string): Promise<string[]> {
  const deleted = await trx.deleteFrom('upload_parts').where('upload_id', '=', uploadId).returning('blob_key').execute()
  return [...new Set(deleted.map((part) => part.blob_key))]
}

/** Lists uploads that have expired, of one workspace or of all. */
export async function listExpired(db: Db, now: number, workspaceId: number | undefined): Promise<string[]> {
  const rows = await db
    .selectFrom('unfinished_uploads')
    .select('id')
    .where('expires_at', '<=', now)
    .$call(whereGiven(workspaceId, (query, id) => query.where('workspace_id', '=', id)))
    .limit(1000)
    .execute()
  return rows.map((row) => row.id)
}
