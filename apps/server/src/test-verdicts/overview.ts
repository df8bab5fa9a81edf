import type { ApplicationOverview, OverviewLine, OverviewTest } from '@fairlead/contract'
import type { BuildRecord } from '../builds/build.ts'
import type { AppContext } from '../context.ts'
import { toInstantOrNull } from '../http/instant.ts'
import { countTestsOf, listFailingTests, listNewlyFlakyTests } from '../test-history/overview-store.ts'
import { findLatestRun, listLatestRuns } from '../test-results/latest-run-store.ts'
import { toTestRun } from '../test-results/run.ts'
import { listRunsOfBuild } from './build-run-store.ts'
import { describeBuildVerdict } from './describe-verdict.ts'

type Context = Pick<AppContext, 'db'>
type OverviewBuild = NonNullable<ApplicationOverview['newestBuild']>

const recentMs = 14 * 24 * 60 * 60 * 1000
const maxTests = 5
const maxRuns = 5

/** Describes the newest run, the failing tests and those that became flaky, at a cost that does not grow. */
export async function describeTestsOf(
  { db }: Context,
  applicationId: number,
  now: number,
): Promise<ApplicationOverview['tests']> {
  const run = await findLatestRun(db, applicationId)
  const failing = await listFailingTests(db, applicationId, now)
  const flaky = await listNewlyFlakyTests(db, applicationId, now - recentMs)
  return {
    latestRun: run ? toTestRun(run) : null,
    failingCount: failing.length,
    failing: failing
      .toSorted((one, other) => (other.default_run_id ?? 0) - (one.default_run_id ?? 0))
      .slice(0, maxTests)
      .map(toOverviewTest),
    flakyCount: flaky.length,
    flaky: flaky.slice(0, maxTests).map(toOverviewTest),
  }
}

/** Returns what lists of applications show of the tests of each. */
export async function summarizeTestsOf(
  { db }: Context,
  applicationIds: number[],
  now: number,
): Promise<Map<number, Pick<OverviewLine, 'testResult' | 'failingTestCount' | 'flakyTestCount'>>> {
  const runs = new Map((await listLatestRuns(db, applicationIds)).map((run) => [run.application_id, run]))
  const rows = await countTestsOf(db, applicationIds, { now, since: now - recentMs })
  return new Map(
    rows.map(({ id, failing, flaky }) => {
      const run = runs.get(id)
      const testResult = run ? toTestRun(run).result : null
      return [id, { testResult, failingTestCount: failing, flakyTestCount: flaky }]
    }),
  )
}

/** The verdict of a build with the runs that it was made of, as its overview shows them. */
export async function summarizeVerdictOf(
  { db }: Context,
  build: BuildRecord,
): Promise<Pick<OverviewBuild, 'verdict' | 'verdictReasons' | 'testRuns'>> {
  const runs = await listRunsOfBuild(db, build)
  if (runs.length === 0) return { verdict: null, verdictReasons: [], testRuns: [] }
  const { result, reasons } = await describeBuildVerdict(db, build, runs)
  const newest = runs.slice(-maxRuns).toReversed().map(toTestRun)
  return {
    verdict: result,
    verdictReasons: reasons,
    testRuns: newest.map(({ id, result: own }) => ({ id, result: own })),
  }
}

function toOverviewTest(row: Awaited<ReturnType<typeof listFailingTests>>[number]): OverviewTest {
  return {
    id: row.id,
    suite: row.suite,
    class: row.class,
    name: row.name,
    runId: row.default_run_id,
    flippedDate: toInstantOrNull(row.last_flip_at),
  }
}
