import type { InstallStatistics } from '@fairlead/contract'
import { sql } from 'kysely'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { requireBuild } from '../builds/build.ts'
import { toInstant } from '../http/instant.ts'

const day = 24 * 60 * 60 * 1000
/** At most this many testers are listed, the most recent first. */
const testerLimit = 1000

/**
 * Counts the installs of a build: per UTC day for the last `dayCount` days, oldest first, and per tester since the
 * upload.
 *
 * @throws {ApiError} buildNotFound
 */
export async function readInstallStatistics(
  context: Pick<AppContext, 'db'>,
  workspaceId: number,
  buildId: number,
  dayCount: number,
): Promise<InstallStatistics> {
  await requireBuild(context, workspaceId, buildId)
  const today = Math.floor(Date.now() / day)
  const firstDay = today - dayCount + 1
  const counts = await countByDay(context.db, buildId, firstDay)
  const countOf = new Map(counts.map(({ day, kind, count }) => [`${kind} ${day}`, count]))
  const days = Array.from({ length: dayCount }, (_, index) => ({
    date: toInstant((firstDay + index) * day).slice(0, 10),
    installs: countOf.get(`install ${firstDay + index}`) ?? 0,
    downloads: countOf.get(`download ${firstDay + index}`) ?? 0,
  }))
  return { days, testers: await countByTester(context.db, buildId) }
}

async function countByDay(db: Db, buildId: number, firstDay: number) {
  // The number is inlined, because with two parameters PostgreSQL cannot see that GROUP BY matches the SELECT.
  const dayOf = sql<number>`created_at / ${sql.lit(day)}`
  return db
    .selectFrom('installs')
    .select((select) => [dayOf.as('day'), 'kind', select.fn.countAll<number>().as('count')])
    .where('build_id', '=', buildId)
    .where('created_at', '>=', firstDay * day)
    .groupBy([dayOf, 'kind'])
    .execute()
}

async function countByTester(db: Db, buildId: number): Promise<InstallStatistics['testers']> {
  const rows = await db
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
    .limit(testerLimit)
    .execute()
  return rows.map(({ id, email, count, last_at }) => ({ id, email, count, lastDate: toInstant(last_at) }))
}
