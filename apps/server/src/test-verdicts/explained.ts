/** What explanations look up about failures of tests and about the runs of builds. */
import type { Test, TestComparison, TestResult } from '@fairlead/contract'
import { requireAt } from '@fairlead/invariant'
import type { BuildRecord } from '../builds/build.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { requireFailure } from '../test-failures/failure.ts'
import { describeTests, requireTestRow } from '../test-history/test-store.ts'
import { listResultsOfTests } from '../test-results/result-store.ts'
import { findRunRow } from '../test-results/run-store.ts'
import type { TestRunRow } from '../test-results/run.ts'
import { listRunsOfBuild } from './build-run-store.ts'
import { compareRuns } from './compare.ts'

type Context = Pick<AppContext, 'db'>

export interface RunOfFailure {
  id: number
  commit: string | null
  buildId: number | null
  branch: string | null
}

export interface FailureToExplain {
  run: RunOfFailure & { applicationId: number }
  test: Test
  /** Undefined for results that were deleted because of their age. */
  result: TestResult | undefined
  /** The last run in which the test passed, and the first in which it failed since. */
  range: { lastPassed: RunOfFailure | null; firstFailed: RunOfFailure | null }
}

/** @throws {ApiError} testFailureNotFound */
export async function requireFailureToExplain(
  { db }: Context,
  workspaceId: number,
  failureId: number,
): Promise<FailureToExplain> {
  const { row, run } = await requireFailure({ db }, workspaceId, failureId)
  const test = requireAt(await describeTests(db, [await requireTestRow(db, workspaceId, row.test_id)]), 0)
  const results = await listResultsOfTests(db, run.id, [row.test_id])
  const result = results.find((one) => one.failureId === failureId)
  const ofBranch = test.range.filter(({ branch }) => branch === run.branch)
  const range = ofBranch.find(({ environment }) => environment === result?.environment) ?? ofBranch[0]
  return {
    run: { ...toRun(run), applicationId: run.application_id },
    test,
    result,
    range: {
      lastPassed: range?.lastPassed ? await readRun(db, range.lastPassed.runId) : null,
      firstFailed: range ? await readRun(db, range.firstFailed.runId) : null,
    },
  }
}

async function readRun(db: Db, id: number): Promise<RunOfFailure | null> {
  const row = await findRunRow(db, id)
  return row ? toRun(row) : null
}

function toRun(row: TestRunRow): RunOfFailure {
  return { id: row.id, commit: row.commit_hash, buildId: row.build_id, branch: row.branch }
}

/** Compares the newest complete runs of two builds; undefined if one of them has none. */
export async function compareRunsOfBuilds(
  { db }: Context,
  build: BuildRecord,
  base: BuildRecord,
): Promise<(TestComparison & { runId: number }) | undefined> {
  const [run, baseRun] = [await findNewestComplete(db, build), await findNewestComplete(db, base)]
  if (!run || !baseRun || run.id === baseRun.id) return undefined
  return { ...(await compareRuns(db, run.id, baseRun.id)), runId: run.id }
}

async function findNewestComplete(db: Db, build: BuildRecord): Promise<TestRunRow | undefined> {
  const runs = await listRunsOfBuild(db, build)
  return runs.findLast(({ state }) => state === 'complete')
}
