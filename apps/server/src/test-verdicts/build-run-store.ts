import type { BuildRecord } from '../builds/build.ts'
import type { Db } from '../db/open.ts'
import { visibleBuilds } from '../db/visible-builds.ts'
import type { TestRunRow } from '../test-results/run.ts'

type TestedBuild = Pick<BuildRecord, 'id' | 'application_id' | 'source_commit'>

/** Lists the runs that name a build, and runs of its commit that name no build. */
export async function listRunsOfBuild(
  db: Db,
  { id, application_id, source_commit }: TestedBuild,
): Promise<TestRunRow[]> {
  return db
    .selectFrom('test_runs')
    .selectAll()
    .where('application_id', '=', application_id)
    .where('report_count', '>', 0)
    .where((where) =>
      where.or([
        where('build_id', '=', id),
        ...(source_commit === null
          ? []
          : [where.and([where('build_id', 'is', null), where('commit_hash', '=', source_commit)])]),
      ]),
    )
    .orderBy('id')
    .execute()
}

/** Lists the builds of other commits before a build, newest first. */
export async function listEarlierBuilds(db: Db, build: TestedBuild, limit: number): Promise<TestedBuild[]> {
  let query = db
    .selectFrom(visibleBuilds)
    .select(['id', 'application_id', 'source_commit'])
    .where('application_id', '=', build.application_id)
    .where('id', '<', build.id)
  if (build.source_commit !== null) {
    query = query.where((where) =>
      where.or([where('source_commit', 'is', null), where('source_commit', '!=', build.source_commit)]),
    )
  }
  return query.orderBy('id', 'desc').limit(limit).execute()
}
