import { type Insertable, sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'

/** One more install or download of a build; of a tester who is gone, it is nobody's. */
export async function insertInstall(trx: Db, values: Insertable<Schema['installs']>): Promise<void> {
  const { tester_id: testerId = null } = values
  const tester =
    testerId === null
      ? undefined
      : await trx.selectFrom('testers').select('id').where('id', '=', testerId).executeTakeFirst()
  await trx
    .insertInto('installs')
    .values({ ...values, tester_id: tester?.id ?? null })
    .execute()
  await trx
    .updateTable('builds')
    .set((update) => ({ install_count: update('install_count', '+', 1) }))
    .where('id', '=', values.build_id)
    .execute()
}

const dayMs = 24 * 60 * 60 * 1000

/** @param firstDay in days since 1970, as the days that come back */
export async function countInstallsByDay(
  db: Db,
  buildId: number,
  firstDay: number,
): Promise<{ day: number; kind: 'install' | 'download'; count: number }[]> {
  // Written out, not as parameters: PostgreSQL must see that it groups by what it selects.
  const dayOf = sql<number>`created_at / ${sql.lit(dayMs)}`
  return db
    .selectFrom('installs')
    .select((select) => [dayOf.as('day'), 'kind', select.fn.countAll<number>().as('count')])
    .where('build_id', '=', buildId)
    .where('created_at', '>=', firstDay * dayMs)
    .groupBy([dayOf, 'kind'])
    .execute()
}

/** The testers who installed a build last, newest first. */
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
