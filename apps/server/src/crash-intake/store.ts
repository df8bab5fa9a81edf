import { ApiError, type Page } from '@fairlead/contract'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Db } from '../db/open.ts'
import { type Paged, toPage } from '../db/paging.ts'
import { prepareQuery } from '../db/prepared.ts'
import type { Row, Schema } from '../db/schema.ts'

export type NewDelivery = Insertable<Schema['crash_inbox']>

export async function insertCrashKey(db: Db, values: Insertable<Schema['crash_keys']>): Promise<Row<'crash_keys'>> {
  return db.insertInto('crash_keys').values(values).returningAll().executeTakeFirstOrThrow()
}

export async function listCrashKeys(db: Db, applicationId: number, page: Page): Promise<Paged<Row<'crash_keys'>>> {
  let query = db.selectFrom('crash_keys').selectAll().where('application_id', '=', applicationId).orderBy('id', 'desc')
  if (page.cursor !== undefined) query = query.where('id', '<', page.cursor)
  if (page.limit === undefined) return { items: await query.execute() }
  const { count } = await db
    .selectFrom('crash_keys')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('application_id', '=', applicationId)
    .executeTakeFirstOrThrow()
  return toPage(await query.limit(page.limit + 1).execute(), page, count)
}

/** @throws {ApiError} crashKeyNotFound */
export async function updateCrashKeyRow(
  db: Db,
  applicationId: number,
  id: number,
  values: Updateable<Schema['crash_keys']>,
): Promise<Row<'crash_keys'>> {
  const query = db.selectFrom('crash_keys').selectAll().where('id', '=', id).where('application_id', '=', applicationId)
  if (Object.keys(values).length > 0) {
    await db
      .updateTable('crash_keys')
      .set(values)
      .where('id', '=', id)
      .where('application_id', '=', applicationId)
      .execute()
  }
  const row = await query.executeTakeFirst()
  if (!row) throw new ApiError('crashKeyNotFound')
  return row
}

const selectKey = prepareQuery((db, { key }: { key: string }) =>
  db.selectFrom('crash_keys').selectAll().where('key', '=', key),
)

export async function findCrashKey(db: Db, key: string): Promise<Row<'crash_keys'> | undefined> {
  const [row] = await selectKey(db, { key })
  return row
}

export async function hasCrashKeys(db: Db): Promise<boolean> {
  const key = await db.selectFrom('crash_keys').select('id').where('is_enabled', '=', 1).limit(1).executeTakeFirst()
  return key !== undefined
}

export async function updateKeyUse(db: Db, id: number, now: number): Promise<void> {
  await db.updateTable('crash_keys').set({ last_used_at: now }).where('id', '=', id).execute()
}

/** How many rows one statement inserts. Few, so that there are few different statements to keep prepared. */
const insertedRows = 32

export async function insertDeliveries(trx: Db, deliveries: readonly NewDelivery[]): Promise<void> {
  for (let start = 0; start < deliveries.length; start += insertedRows) {
    await trx
      .insertInto('crash_inbox')
      .values(deliveries.slice(start, start + insertedRows))
      .execute()
  }
}

/** Sums the bytes of the deliveries that wait to be read, by application. */
export async function sumWaitingBytes(db: Db): Promise<{ applicationId: number; bytes: number }[]> {
  const rows = await db
    .selectFrom('crash_inbox')
    .select(['application_id', sql<number | string>`sum(length(body))`.as('bytes')])
    .groupBy('application_id')
    .execute()
  // PostgreSQL's sum may be of a type that arrives as text.
  return rows.map(({ application_id, bytes }) => ({ applicationId: application_id, bytes: Number(bytes) }))
}
