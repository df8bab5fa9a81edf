import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'

export type FailureRow = Row<'test_failures'>

/** Finds a failure in any workspace; the caller checks that its run belongs to the caller's. */
export async function findFailureRow(db: Db, id: number): Promise<FailureRow | undefined> {
  return db.selectFrom('test_failures').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Finds the blob with the texts of a report's failures; null if it has none or they were deleted. */
export async function findDetailsBlob(db: Db, reportId: number): Promise<number | null> {
  const row = await db
    .selectFrom('test_reports')
    .select('details_blob_id')
    .where('id', '=', reportId)
    .executeTakeFirst()
  return row?.details_blob_id ?? null
}
