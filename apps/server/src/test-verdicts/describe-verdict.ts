import type { Verdict } from '@fairlead/contract'
import type { BuildRecord } from '../builds/build.ts'
import type { Db } from '../db/open.ts'
import { countVanished } from './compare.ts'
import { listCrashes } from '../test-failures/regroup-store.ts'
import { listEarlierBuilds, listRunsOfBuild } from './build-run-store.ts'
import { isJudged, type TestRunRow } from '../test-results/run.ts'
import { toBuildVerdict, toPendingVerdict } from './verdict.ts'
import { parseJsonText } from '../db/json-text.ts'

/** The verdict that was decided when the run completed, or that it is pending. */
export async function describeRunVerdict(db: Db, run: TestRunRow): Promise<Verdict> {
  return { ...readVerdict(run), crashes: await listCrashes(db, [run.id]) }
}

function readVerdict(run: TestRunRow): Verdict {
  if (!isJudged(run) || run.verdict === null) return toPendingVerdict(run)
  return parseJsonText(run.verdict)
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

async function listRunsOfBuildBefore(db: Db, build: BuildRecord): Promise<TestRunRow[]> {
  for (const earlier of await listEarlierBuilds(db, build, maxBuilds)) {
    const runs = await listRunsOfBuild(db, earlier)
    const complete = runs.filter(({ state }) => state === 'complete')
    if (complete.length > 0) return complete
  }
  return []
}
