import { ApiError, type Verdict } from '@fairlead/contract'
import type { BuildRecord } from '../builds/build.ts'
import type { Db } from '../db/open.ts'
import { countVanished } from './compare.ts'
import { listCrashes } from '../test-failures/regroup-store.ts'
import { listEarlierBuilds, listRunsOfBuild, listTestedBuilds } from './build-run-store.ts'
import { countRan, isJudged, type TestRunRow, wholeShare } from '../test-results/run.ts'
import { countReport, findReportOfRun } from './report-verdict-store.ts'
import { toBuildVerdict, toPendingVerdict, toRunVerdict } from './verdict.ts'
import { parseJsonText } from '../db/json-text.ts'

/**
 * The verdict that was decided when the run completed, or that it is pending. That of one report counts the cases whose
 * last attempt is in it, so that a job is not failed by another one of the same run.
 *
 * @throws {ApiError} invalidRequest for a report of another run
 */
export async function describeRunVerdict(db: Db, run: TestRunRow, reportId?: number): Promise<Verdict> {
  const verdict = readVerdict(run)
  const crashes = await listCrashes(db, [run.id])
  if (reportId === undefined) return { ...verdict, crashes }
  const report = await findReportOfRun(db, run.id, reportId)
  if (!report) {
    throw new ApiError('invalidRequest', { faults: [{ source: 'reportId', detail: 'is no report of this run' }] })
  }
  if (verdict.result === 'pending') return { ...verdict, crashes }
  const { counts, classes } = await countReport(db, run.id, reportId)
  const warnings = parseJsonText(report.warnings)
  const hasCrashed = counts.cases === 0 && warnings.some(({ code }) => code === 'processCrashed')
  // Shards that are missing are those of other jobs.
  const ofReport = { has_crashed: hasCrashed ? 1 : 0, shards_expected: null, shards_received: run.shards_received }
  return { ...toRunVerdict({ ...counts, ...ofReport }, classes, verdict.base), crashes }
}

function readVerdict(run: TestRunRow): Verdict {
  if (!isJudged(run) || run.verdict === null) return toPendingVerdict(run)
  return parseJsonText(run.verdict)
}

/** The most earlier builds that are searched for one that was tested. */
const maxBuilds = 50

/** The results of the verdicts of builds, by their ids. Builds that were not tested have none. */
export async function listBuildResults(db: Db, builds: BuildRecord[]): Promise<Map<number, Verdict['result']>> {
  const tested = await listTestedBuilds(db, builds)
  const results = new Map<number, Verdict['result']>()
  for (const build of builds) {
    if (tested.has(build.id)) results.set(build.id, (await describeBuildVerdict(db, build)).result)
  }
  return results
}

/** Joins the verdicts of the runs of a build: those that name it, else those of its commit. */
export async function describeBuildVerdict(
  db: Db,
  build: BuildRecord,
  knownRuns?: readonly TestRunRow[],
): Promise<Verdict> {
  const runs = knownRuns ?? (await listRunsOfBuild(db, build))
  const before = await listRunsOfBuildBefore(db, build, runs)
  const last = before.at(-1)
  const base = last === undefined ? null : { runId: last.id, commit: last.commit_hash }
  const toIds = (some: readonly TestRunRow[]) => some.map(({ id }) => id)
  const vanished = await countVanished(db, toIds(runs), toIds(before))
  return { ...toBuildVerdict(runs.map(readVerdict), vanished, base), crashes: await listCrashes(db, toIds(runs)) }
}

/** The most tested builds that are searched for one with enough tests. */
const maxTested = 10

/**
 * The complete runs of the newest earlier build in which at least four fifths as many tests ran as in this one, because
 * a run of a single test says nothing of the others. If no build had as many, the newest one that was tested.
 */
async function listRunsOfBuildBefore(db: Db, build: BuildRecord, own: readonly TestRunRow[]): Promise<TestRunRow[]> {
  const tested: TestRunRow[][] = []
  for (const earlier of await listEarlierBuilds(db, build, maxBuilds)) {
    const runs = await listRunsOfBuild(db, earlier)
    const complete = runs.filter(({ state }) => state === 'complete')
    if (complete.length === 0) continue
    if (countMostRan(complete) >= wholeShare * countMostRan(own)) return complete
    tested.push(complete)
    if (tested.length === maxTested) break
  }
  return tested[0] ?? []
}

/** How many tests ran in the largest of some runs. Their sum would count the tests of repeated runs several times. */
function countMostRan(runs: readonly TestRunRow[]): number {
  return Math.max(0, ...runs.map(countRan))
}
