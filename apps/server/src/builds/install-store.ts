import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { NewInstall, Row } from '../db/schema.ts'

/** A build with its installs after a count, and those that were counted. */
export interface CountedBuild {
  build: Pick<Row<'builds'>, 'id' | 'workspace_id' | 'application_id' | 'install_count'>
  installs: NewInstall[]
}

/**
 * Records installs and downloads. The tester is null when it was deleted meanwhile; installs of deleted builds are left
 * out.
 */
export async function insertInstalls(trx: Db, installs: NewInstall[]): Promise<CountedBuild[]> {
  const buildIds = [...new Set(installs.map((install) => install.build_id))]
  const testerIds = [...new Set(installs.flatMap(({ tester_id }) => tester_id ?? []))]
  // Counting first locks the rows, so that no build can be deleted before its installs are inserted.
  const builds = new Map<number, CountedBuild['build']>()
  for (const id of buildIds.toSorted((a, b) => a - b)) {
    const count = installs.filter((install) => install.build_id === id).length
    const updated = await trx
      .updateTable('builds')
      .set((update) => ({ install_count: update('install_count', '+', count) }))
      .where('id', '=', id)
      .returning(['id', 'workspace_id', 'application_id', 'install_count'])
      .executeTakeFirst()
    if (updated) builds.set(id, updated)
  }
  const testers = new Set(
    testerIds.length === 0
      ? []
      : (await trx.selectFrom('testers').select('id').where('id', 'in', testerIds).execute()).map(({ id }) => id),
  )
  const rows = installs
    .filter(({ build_id }) => builds.has(build_id))
    .map((install) => ({
      ...install,
      tester_id: install.tester_id !== null && testers.has(install.tester_id) ? install.tester_id : null,
    }))
  if (rows.length > 0) await trx.insertInto('installs').values(rows).execute()
  return [...builds.values()].map((build) => ({ build, installs: rows.filter((row) => row.build_id === build.id) }))
}

export async function findEmailsOfTesters(trx: Db, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await trx.selectFrom('testers').select(['id', 'email']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, email }) => [id, email]))
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
