/** What other features look up about tests and their runs. */
import type { ListTestResults, ListTests, Test, TestResult, TestRun, Verdict } from '@fairlead/contract'
import { requireAt } from '@fairlead/invariant'
import type { BuildRecord } from '../builds/build.ts'
import type { AppContext } from '../context.ts'
import type { Paged } from '../db/paging.ts'
import { describeTests, listTests, requireTestRow } from '../test-history/test-store.ts'
import { listResults } from '../test-results/result-store.ts'
import { toTestRun } from '../test-results/run.ts'
import { requireRunOfWorkspace } from '../test-results/run-store.ts'
import { listRunsOfBuild } from '../test-verdicts/build-run-store.ts'
import { describeBuildVerdict, describeRunVerdict } from '../test-verdicts/describe-verdict.ts'

type Context = Pick<AppContext, 'db'>

/** Lists the tests of an application that the caller may see. */
export async function findTests({ db }: Context, applicationId: number, query: ListTests): Promise<Paged<Test>> {
  return listTests(db, applicationId, query)
}

/** @throws {ApiError} testNotFound */
export async function requireTest({ db }: Context, workspaceId: number, id: number): Promise<Test> {
  return requireAt(await describeTests(db, [await requireTestRow(db, workspaceId, id)]), 0)
}

/** Returns a run and its verdict. @throws {ApiError} testRunNotFound */
export async function requireTestRun(
  { db }: Context,
  workspaceId: number,
  id: number,
): Promise<{ run: TestRun; verdict: Verdict }> {
  const row = await requireRunOfWorkspace(db, workspaceId, id)
  return { run: toTestRun(row), verdict: await describeRunVerdict(db, row) }
}

/** Returns the id of the newest run of a build, or undefined if none came. */
export async function findNewestRunId({ db }: Context, build: BuildRecord): Promise<number | undefined> {
  const runs = await listRunsOfBuild(db, build)
  return runs.at(-1)?.id
}

/** Lists results of a run that the caller may see. */
export async function findTestResults(
  { db }: Context,
  testRunId: number,
  query: ListTestResults,
): Promise<Paged<TestResult>> {
  return listResults(db, testRunId, query)
}

/** What the test runs of a build say about it; null if none came. */
export async function findVerdictOfBuild({ db }: Context, build: BuildRecord): Promise<Verdict | null> {
  const runs = await listRunsOfBuild(db, build)
  return runs.length === 0 ? null : describeBuildVerdict(db, build)
}
