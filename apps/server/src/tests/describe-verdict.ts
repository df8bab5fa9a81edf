import type { Verdict } from '@fairlead/contract'
import type { BuildRecord } from '../builds/build.ts'
import type { Db } from '../db/open.ts'
import { countVanished } from './compare.ts'
import { listCrashes } from './regroup-store.ts'
import type { TestRunRow } from './run.ts'
import { toBuildVerdict, toPendingVerdict } from './verdict.ts'

/** The verdict that was decided when the run completed, or that it is pending. */
export async function describeRunVerdict(db: Db, run: TestRunRow): Promise<Verdict> {
  return { ...readVerdict(run), crashes: await listCrashes(db, [run.id]) }
}

function readVerdict(run: TestRunRow): Verdict {
  if (run.state === 'open' || run.verdict === null) return toPendingVerdict(run)
  return JSON.parse(run.verdict) as Verdict // only `judgeRun` writes this column
}

/** The most earlier builds that are searched for one that was tested. */
const maxBuilds = 50

/** Joins the verdicts of the runs of a build: those that name it, else those of its commit. */
export async function describeBuildVerdict(db: Db, build: BuildRecord): Promise<Verdict> {
  const runs = await listRunsOfBuild(db, build)
  const before = await listRunsOfBuildBefore(db, build)
  const last = before.at(-1)
  const base = last === undefined ? null : { runId: last.id, commit: last.commit_hash }
  const toIds = (some: TestRunRow[]) => some.map(({ id }) => id)
  const vanished = await countVanished(db, toIds(runs), toIds(before))
  return { ...toBuildVerdict(runs.map(readVerdict), vanished, base), crashes: await listCrashes(db, toIds(runs)) }
}

type TestedBuild = Pick<BuildRecord, 'id' | 'application_id' | 'source_commit'>

async function listRunsOfBuild(db: Db, { id, application_id, source_commit }: TestedBuild): Promise<TestRunRow[]> {
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

async function listRunsOfBuildBefore(db: Db, build: BuildRecord): Promise<TestRunRow[]> {
  let query = db
    .selectFrom('builds')
    .select(['id', 'application_id', 'source_commit'])
    .where('application_id', '=', build.application_id)
    .where('id', '<', build.id)
  if (build.source_commit !== null) {
    query = query.where((where) =>
      where.or([where('source_commit', 'is', null), where('source_commit', '!=', build.source_commit)]),
    )
  }
  const earlier = await query.orderBy('id', 'desc').limit(maxBuilds).execute()
  for (const one of earlier) {
    const runs = await listRunsOfBuild(db, one)
    const complete = runs.filter(({ state }) => state === 'complete')
    if (complete.length > 0) return complete
  }
  return []
}
