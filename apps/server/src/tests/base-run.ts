import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import type { FailingRow } from './judge-store.ts'
import { failed, infrastructure } from './outcome.ts'
import type { TestRunRow } from './run.ts'
import { findRunRow, listCompleteRuns } from './run-store.ts'

/** The most complete runs that are searched for one in which tests ran. */
const maxCandidates = 20

export interface KnownFailures {
  baseRunId: number | null
  baseCommit: string | null
  isKnown(row: FailingRow): boolean
}

/** Finds the run to compare with: the run of the base commit, else the last complete run of the default branch. */
async function findBaseRun(db: Db, run: TestRunRow): Promise<TestRunRow | undefined> {
  if (run.base_run_id !== null) return findRunRow(db, run.base_run_id)
  // A run that is judged again keeps having no base, because later runs must not change it.
  if (run.verdict !== null) return undefined
  const { default_branch: branch } = await db
    .selectFrom('applications')
    .select('default_branch')
    .where('id', '=', run.application_id)
    .executeTakeFirstOrThrow()
  if (run.base_commit !== null) {
    const runs = await listCompleteRuns(db, run.application_id, { commit: run.base_commit }, maxCandidates)
    const found = runs.find((one) => one.id !== run.id && one.cases > 0)
    if (found) return found
  }
  const runs = await listCompleteRuns(db, run.application_id, { branch }, maxCandidates)
  return runs.find((one) => one.id !== run.id && one.cases > 0)
}

/**
 * Lists the failures that the base has already. A failure is known when the same test failed there in the same group,
 * or another test in a group that names frames: a message alone says too little about a test.
 *
 * When symbols resolved only one of two failures, the group in which it was judged is compared, so that it is not new
 * only because the symbols of the other are missing.
 */
export async function listKnownFailures(trx: Db, run: TestRunRow, rows: FailingRow[]): Promise<KnownFailures> {
  const base = await findBaseRun(trx, run)
  if (!base) return { baseRunId: null, baseCommit: null, isKnown: () => false }
  const failures = await trx
    .selectFrom('test_results as result')
    .innerJoin('test_failures as failure', 'failure.id', 'result.failure_id')
    .leftJoin('failure_groups as group', 'group.id', 'failure.group_id')
    .select(['result.test_id', 'failure.group_id', 'failure.judged_group_id', 'result.classification'])
    .select('group.frames')
    .where('result.run_id', '=', base.id)
    .where('result.outcome', '=', failed)
    .where('result.case_number', 'is not', null)
    .execute()
  const own = new Set<string>()
  const groups = new Set<number>()
  const lost = new Set<number>()
  /** The groups of failures that have not moved, and the former groups of those that have. */
  const unmoved = new Set<string>()
  const former = new Set<string>()
  for (const { test_id, group_id, judged_group_id, classification, frames } of failures) {
    if (classification === infrastructure) {
      lost.add(test_id)
      continue
    }
    own.add(`${test_id} ${group_id}`)
    if (judged_group_id === null) unmoved.add(`${test_id} ${group_id}`)
    else former.add(`${test_id} ${judged_group_id}`)
    if (group_id !== null && frames !== '[]') groups.add(group_id)
  }
  const earlier = await listEarlierFailures(trx, base, lost, rows)
  return {
    baseRunId: base.id,
    baseCommit: base.commit_hash,
    isKnown: ({ testId, groupId, judgedGroupId }) =>
      own.has(`${testId} ${groupId}`) ||
      (judgedGroupId === null ? former.has(`${testId} ${groupId}`) : unmoved.has(`${testId} ${judgedGroupId}`)) ||
      earlier.has(`${testId} ${groupId}`) ||
      (groupId !== null && groups.has(groupId)),
  }
}

/** If the base lost its device, it says nothing about a test, so the result of an earlier run counts instead. */
async function listEarlierFailures(
  trx: Db,
  base: TestRunRow,
  lost: Set<number>,
  rows: FailingRow[],
): Promise<Set<string>> {
  const tests = [...new Set(rows.map(({ testId }) => testId))].filter((id) => lost.has(id))
  if (tests.length === 0 || base.branch === null) return new Set()
  const runs = await listCompleteRuns(trx, base.application_id, { branch: base.branch }, maxCandidates)
  const ids = runs.filter(({ id }) => id < base.id).map(({ id }) => id)
  if (ids.length === 0) return new Set()
  const found = await selectInBatches(tests, (some) =>
    trx
      .selectFrom('test_results as result')
      .leftJoin('test_failures as failure', 'failure.id', 'result.failure_id')
      .select(['result.test_id', 'result.run_id', 'result.outcome', 'failure.group_id'])
      .where('result.test_id', 'in', some)
      .where('result.run_id', 'in', ids)
      .where('result.case_number', 'is not', null)
      .where((where) =>
        where.or([where('result.classification', 'is', null), where('result.classification', '!=', infrastructure)]),
      )
      .orderBy('result.run_id', 'desc')
      .execute(),
  )
  const latest = new Map<number, number>()
  for (const { test_id, run_id } of found) latest.set(test_id, Math.max(latest.get(test_id) ?? 0, run_id))
  const known = found.filter((row) => row.outcome === failed && latest.get(row.test_id) === row.run_id)
  return new Set(known.map(({ test_id, group_id }) => `${test_id} ${group_id}`))
}
