import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'

/** The most rows, and bytes of bodies, that are read before the next application has its turn. */
const batchRows = 50
const batchBytes = 4 * 2 ** 20

/** Lists the applications whose deliveries wait, by jumping from one to the next in the index. */
export async function listWaitingApplications(db: Db): Promise<number[]> {
  const ids: number[] = []
  for (;;) {
    const row = await db
      .selectFrom('crash_inbox')
      .select('application_id')
      .where('application_id', '>', ids.at(-1) ?? 0)
      .orderBy('application_id')
      .limit(1)
      .executeTakeFirst()
    if (!row) return ids
    ids.push(row.application_id)
  }
}

/** Reads the oldest deliveries of an application: at least one, and no more than fit a batch. */
export async function listOldestDeliveries(db: Db, applicationId: number): Promise<Row<'crash_inbox'>[]> {
  const sizes = await db
    .selectFrom('crash_inbox')
    .select(['id', sql<number>`length(body)`.as('size')])
    .where('application_id', '=', applicationId)
    .orderBy('id')
    .limit(batchRows)
    .execute()
  let bytes = 0
  const ids = sizes.filter(({ size }, place) => (bytes += size) <= batchBytes || place === 0).map(({ id }) => id)
  if (ids.length === 0) return []
  return db.selectFrom('crash_inbox').selectAll().where('id', 'in', ids).orderBy('id').execute()
}

/** Deletes deliveries. Returns the ids of those that were still there. */
export async function deleteDeliveries(trx: Db, ids: number[]): Promise<Set<number>> {
  const rows = await trx.deleteFrom('crash_inbox').where('id', 'in', ids).returning('id').execute()
  return new Set(rows.map(({ id }) => id))
}

export async function countDeliveries(db: Db, applicationId: number): Promise<number> {
  const { count } = await db
    .selectFrom('crash_inbox')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('application_id', '=', applicationId)
    .executeTakeFirstOrThrow()
  return count
}

export async function addDrops(trx: Db, applicationId: number, counts: ReadonlyMap<string, number>): Promise<void> {
  for (const [reason, count] of counts) {
    await trx
      .insertInto('crash_drops')
      .values({ application_id: applicationId, reason, count })
      .onConflict((conflict) =>
        conflict
          .columns(['application_id', 'reason'])
          .doUpdateSet((update) => ({ count: update('crash_drops.count', '+', update.ref('excluded.count')) })),
      )
      .execute()
  }
}

export async function listDrops(
  db: Db,
  applicationId: number,
): Promise<Pick<Row<'crash_drops'>, 'reason' | 'count'>[]> {
  return db
    .selectFrom('crash_drops')
    .select(['reason', 'count'])
    .where('application_id', '=', applicationId)
    .orderBy('reason')
    .limit(1000)
    .execute()
}
