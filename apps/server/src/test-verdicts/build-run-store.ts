import type { BuildRecord } from '../builds/build.ts'
import type { Db } from '../db/open.ts'
import { visibleBuilds } from '../db/visible-builds.ts'
import type { TestRunRow } from '../test-results/run.ts'

type TestedBuild = Pick<BuildRecord, 'id' | 'application_id' | 'source_commit'>

/**
 * Lists the runs that name a build, and runs of its commit that name no build. The statements have no other conditions,
 * because with them databases read the index of all runs of the application that are shown. A build has few runs.
 */
export async function listRunsOfBuild(
  db: Db,
  { id, application_id, source_commit }: TestedBuild,
): Promise<TestRunRow[]> {
  const named = await db.selectFrom('test_runs').selectAll().where('build_id', '=', id).execute()
  const ofCommit =
    source_commit === null
      ? []
      : await db
          .selectFrom('test_runs')
          .selectAll()
          .where('application_id', '=', application_id)
          .where('commit_hash', '=', source_commit)
          .execute()
  const unnamed = ofCommit.filter(({ build_id }) => build_id === null)
  return [...named, ...unnamed]
    .filter((run) => run.application_id === application_id && run.report_count > 0)
    .toSorted((one, other) => one.id - other.id)
}

/** Finds out which of some builds of one application have runs, as `listRunsOfBuild` lists them. */
export async function listTestedBuilds(db: Db, builds: TestedBuild[]): Promise<Set<number>> {
  const [first] = builds
  if (!first) return new Set()
  const ids = builds.map(({ id }) => id)
  const commits = builds.flatMap(({ source_commit }) => source_commit ?? [])
  const ofBuilds = db
    .selectFrom('test_runs')
    .select(['build_id', 'commit_hash'])
    .distinct()
    .where('application_id', '=', first.application_id)
    .where('report_count', '>', 0)
  const named = await ofBuilds.where('build_id', 'in', ids).execute()
  const unnamed =
    commits.length === 0
      ? []
      : await ofBuilds.where('build_id', 'is', null).where('commit_hash', 'in', commits).execute()
  const ofCommits = new Set(unnamed.map(({ commit_hash }) => commit_hash))
  const isTested = ({ source_commit }: TestedBuild) => source_commit !== null && ofCommits.has(source_commit)
  return new Set([...named.flatMap(({ build_id }) => build_id ?? []), ...builds.filter(isTested).map(({ id }) => id)])
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
