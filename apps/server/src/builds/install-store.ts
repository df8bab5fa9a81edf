import { type Insertable, sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'

/**
 * Records an install or a download, unless the build was deleted in the meantime. The tester stays empty if they were
 * deleted.
 */
export async function insertInstall(trx: Db, values: Insertable<Schema['installs']>): Promise<void> {
  // This locks the build, so that it is not deleted before the row below refers to it.
  const counted = await trx
    .updateTable('builds')
    .set((update) => ({ install_count: update('install_count', '+', 1) }))
    .where('id', '=', values.build_id)
    .returning('id')
    .executeTakeFirst()
  if (!counted) return
  const { tester_id: testerId = null } = values
  const tester =
    testerId === null
      ? undefined
      : await trx.selectFrom('testers').select('id').where('id', '=', testerId).executeTakeFirst()
  await trx
    .insertInto('installs')
    .values({ ...values, tester_id: tester?.id ?? null })
    .execute()
}

const dayMs = 24 * 60 * 60 * 1000

/** Counts installs by day and kind. Days are counted from 1 January 1970, UTC, as is `firstDay`. */
export async function countInstallsByDay(
  db: Db,
  buildId: number,
  firstDay: number,
): Promise<{ day: number; kind: 'install' | 'download'; count: number }[]> {
  // A literal instead of a parameter, because PostgreSQL must see that it groups by the selected expression.
  const dayOf = sql<number>`created_at / ${sql.lit(dayMs)}`
  return db
    .selectFrom('installs')
    .select((select) => [dayOf.as('day'), 'kind', select.fn.countAll<number>().as('count')])
    .where('build_id', '=', buildId)
    .where('created_at', '>=', firstDay * dayMs)
    .groupBy([dayOf, 'kind'])
    .execute()
}

/** Counts installs by tester, most recent first. */
export async function countInstallsByTester(
  db: Db,
  buildId: number,
  limit: number,
): Promise<{ id: number; email: string; count: number; last_at: number }[]> {
  return db
    .selectFrom('installs')
    .innerJoin('testers', 'testers.id', 'installs.tester_id')
    .select((select) => [
      'testers.id',
      'testers.email',
      select.fn.countAll<number>().as('count'),
      select.fn.max('installs.created_at').as('last_at'),
    ])
    .where('installs.build_id', '=', buildId)
    .groupBy(['testers.id', 'testers.email'])
    .orderBy('last_at', 'desc')
    .limit(limit)
    .execute()
}
