import { sql } from 'kysely'
import type { Db } from '../db/open.ts'

/** Counts crashes by build. A release without a short version stands for every build with its version. */
export async function countCrashesOfBuilds(db: Db, buildIds: number[]): Promise<Map<number, number>> {
  if (buildIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('builds')
    .innerJoin('releases', (join) =>
      join
        .onRef('releases.application_id', '=', 'builds.application_id')
        .onRef('releases.version', '=', 'builds.version')
        .on((on) =>
          on.or([
            on('releases.short_version', '=', ''),
            on('releases.short_version', '=', on.ref('builds.short_version')),
          ]),
        ),
    )
    .innerJoin('crash_days', 'crash_days.release_id', 'releases.id')
    // PostgreSQL's sum of bigint is numeric, which its driver returns as text.
    .select(['builds.id', sql<number>`cast(sum(crash_days.count) as bigint)`.as('count')])
    .where('builds.id', 'in', buildIds)
    .groupBy('builds.id')
    .execute()
  return new Map(rows.map(({ id, count }) => [id, count]))
}
