import type { Page } from '@fairlead/contract'
import type { Insertable } from 'kysely'
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import { countAll, cutRows, maxUnpaged, type Paged } from '../db/paging.ts'
import type { Row, Schema } from '../db/schema.ts'

export async function isTestOf(db: Db, applicationId: number, testId: number): Promise<boolean> {
  const row = await db
    .selectFrom('tests')
    .select('id')
    .where('application_id', '=', applicationId)
    .where('id', '=', testId)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertQuarantine(db: Db, values: Insertable<Schema['quarantines']>): Promise<Row<'quarantines'>> {
  return db.insertInto('quarantines').values(values).returningAll().executeTakeFirstOrThrow()
}

/** Lists the quarantines of an application that have not ended, newest first. */
export async function listQuarantineRows(
  db: Db,
  applicationId: number,
  { cursor, limit }: Page,
  now: number,
): Promise<Paged<Row<'quarantines'>>> {
  const matching = db
    .selectFrom('quarantines')
    .where('application_id', '=', applicationId)
    .where('expires_at', '>', now)
  let rows = matching.selectAll().orderBy('id', 'desc')
  if (cursor !== undefined) rows = rows.where('id', '<', cursor)
  return cutRows({
    rows: await rows.limit((limit ?? maxUnpaged) + 1).execute(),
    limit,
    toCursor: ({ id }) => String(id),
    count: matching.select(countAll),
  })
}

/** Lists the quarantines of some tests that have not ended; of each test, the one that ends last is the last. */
export async function listQuarantineRowsOfTests(db: Db, testIds: number[], now: number): Promise<Row<'quarantines'>[]> {
  return selectInBatches(testIds, (some) =>
    db
      .selectFrom('quarantines')
      .selectAll()
      .where('test_id', 'in', some)
      .where('expires_at', '>', now)
      .orderBy('expires_at')
      .execute(),
  )
}

/** Deletes a quarantine. Returns false if the application has none with this id. */
export async function deleteQuarantine(db: Db, applicationId: number, id: number): Promise<boolean> {
  const row = await db
    .deleteFrom('quarantines')
    .where('application_id', '=', applicationId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
