import { requireAt } from '@fairlead/invariant'
import type { Db } from '../db/open.ts'
import { type BaseResult, listFailedProductKeys, listResultsOfRuns, listSuiteSizes } from './base-run-store.ts'
import type { FailingRow } from '../test-results/failing-row.ts'
import { failed, infrastructure, skipped } from '../test-results/outcome.ts'
import { countRan, type TestRunRow, wholeShare } from '../test-results/run.ts'
import { findRunRow, listCompleteRuns, readDefaultBranch } from '../test-results/run-store.ts'
import { matchFailures } from './same-failure.ts'

/** The most complete runs that are searched for one in which tests ran. */
const maxCandidates = 20

/**
 * Tests that a run and so many runs before it lack were deleted for good. Fewer say too little: a worker process that
 * dies in each run leaves one stump after another.
 */
const runsToBelieve = 5

/**
 * The most rows of other runs that are read to find the base, or so many times the cases of the judged run. Runs of a
 * hundred thousand tests are then compared by their totals, as if they had the same suites.
 */
const maxRows = 200_000
const maxTimesRows = 8

export interface KnownFailures {
  base: { runId: number; commit: string | null } | null
  isKnown: (row: FailingRow) => boolean
}

/** Finds the run to compare with: the run of the base commit, else the last complete run of the default branch. */
async function findBaseRun(db: Db, run: TestRunRow): Promise<TestRunRow | undefined> {
  if (run.base_run_id !== null) return findRunRow(db, run.base_run_id)
  // A run that is judged again keeps having no base, because later runs must not change it.
  if (run.verdict !== null) return undefined
  const branch = await readDefaultBranch(db, run.application_id)
  if (run.base_commit !== null) {
    const runs = await listCompleteRuns(db, run.application_id, { commit: run.base_commit }, maxCandidates)
    const found = await findWholeRun(db, run, await addEarlierRuns(db, run, runs))
    if (found) return found
  }
  return findWholeRun(db, run, await listCompleteRuns(db, run.application_id, { branch }, maxCandidates))
}

/** Adds the runs of the branch before the first of a commit, because that one may be a stump as well. */
async function addEarlierRuns(db: Db, run: TestRunRow, runs: TestRunRow[]): Promise<TestRunRow[]> {
  const first = runs.at(-1)
  if (first === undefined || first.branch === null) return runs
  const { application_id: applicationId } = run
  const ofBranch = await listCompleteRuns(db, applicationId, { branch: first.branch, before: first.id }, maxCandidates)
  const known = new Set(runs.map(({ id }) => id))
  return [...runs, ...ofBranch.filter(({ id }) => !known.has(id))]
}

/**
 * Returns the newest of some runs that is no stump, such as the one that a killed worker process left, or one of a
 * single file or test. If there are stumps only, the newest one counts: it says more than none.
 */
async function findWholeRun(db: Db, run: TestRunRow, runs: TestRunRow[]): Promise<TestRunRow | undefined> {
  const candidates = runs.filter((other) => other.id !== run.id && other.cases > 0)
  const sizes = createSizes(db, run)
  for (const [index, candidate] of candidates.entries()) {
    if (!(await isStump(sizes, run, candidate, candidates.slice(index + 1)))) return candidate
  }
  return candidates[0]
}

/**
 * Whether a run has fewer than four fifths of the tests that one of the runs before has in the same suites; or, in the
 * suites of the judged run, of those of the judged run and of any run before, because stumps and the runs of other jobs
 * may follow each other.
 */
async function isStump(
  sizes: Sizes,
  judged: TestRunRow,
  run: TestRunRow,
  earlier: readonly TestRunRow[],
): Promise<boolean> {
  if (earlier.length === 0) return false
  const own = await sizes(run)
  for (const other of earlier.slice(0, runsToBelieve)) {
    // Only a run that is smaller as a whole is looked at more closely; most are not.
    if (countRan(run) >= wholeShare * countRan(other)) continue
    const ofOther = await sizes(other)
    if (!own || !ofOther) return true
    const suites = [...own.keys()].filter((suite) => ofOther.has(suite))
    if (sum(own, suites) < wholeShare * sum(ofOther, suites)) return true
  }
  const ofJudged = await sizes(judged)
  const suites = [...(ofJudged?.keys() ?? [])]
  const count = own ? sum(own, suites) : countRan(run)
  if (count >= wholeShare * countRan(judged)) return false
  for (const other of earlier) {
    // It has no more tests in these suites than in all.
    if (count >= wholeShare * countRan(other)) continue
    const ofOther = await sizes(other)
    if (count < wholeShare * (ofOther ? sum(ofOther, suites) : countRan(other))) return true
  }
  return false
}

function sum(sizes: ReadonlyMap<string, number>, suites: readonly string[]): number {
  return suites.reduce((count, suite) => count + (sizes.get(suite) ?? 0), 0)
}

/** Gives how many tests ran in each suite of a run, which is read once; undefined if that would be too much work. */
type Sizes = (run: TestRunRow) => Promise<Map<string, number> | undefined>

function createSizes(db: Db, judged: TestRunRow): Sizes {
  const known = new Map<number, Map<string, number> | undefined>()
  let left = Math.max(maxRows, maxTimesRows * judged.cases)
  return async ({ id, cases }) => {
    if (known.has(id)) return known.get(id)
    if (id !== judged.id) left -= cases
    const sizes = id === judged.id || left >= 0 ? await listSuiteSizes(db, id) : undefined
    known.set(id, sizes)
    return sizes
  }
}

/**
 * Lists the failures that the base has already. A failure is known when the same test failed there in the same group,
 * or when another test failed there in the same functions of the product (`test-results/product-frames.ts`): equal
 * messages alone say too little, because one helper writes them for many tests.
 *
 * When symbols resolved only one of two failures, the group in which it was judged is compared, so that it is not new
 * only because the symbols of the other are missing.
 */
export async function listKnownFailures(trx: Db, run: TestRunRow, rows: FailingRow[]): Promise<KnownFailures> {
  const base = await findBaseRun(trx, run)
  if (!base) return { base: null, isKnown: () => false }
  const tests = [...new Set(rows.map(({ testId }) => testId))]
  const results = Map.groupBy(await listResultsOfRuns(trx, [base.id], tests), ({ test_id }) => test_id)
  const keys = await listFailedProductKeys(trx, base.id)
  const known = listMatched(rows, results)
  const rest = rows.filter((row) => !known.has(row))
  const undecided = rest.filter((row) => isUndecided(row, results.get(row.testId)))
  const tried = new Set(undecided.map(({ testId }) => testId))
  const knownEarlier = listMatched(undecided, await listLastOtherResults(trx, base, tried, results))
  return {
    base: { runId: base.id, commit: base.commit_hash },
    isKnown: (row) =>
      known.has(row) ||
      // Functions of the product explain the first failure of a case only.
      (row.productKey !== null && row.otherKeys.length === 0 && keys.has(row.productKey)) ||
      knownEarlier.has(row),
  }
}

/** Lists the failures that their tests had in some results, by test and environment. */
function listMatched(rows: FailingRow[], results: ReadonlyMap<number, BaseResult[]>): Set<FailingRow> {
  const grouped = Map.groupBy(rows, ({ testId, environmentId }) => `${testId} ${environmentId}`)
  return new Set(
    [...grouped.values()].flatMap((some) => {
      const first = requireAt(some, 0)
      return [...matchFailures(some, inEnvironment(first, results.get(first.testId)))]
    }),
  )
}

/** The results in the environment of a failure; those of all if the test did not run in that environment. */
function inEnvironment(row: FailingRow, results: BaseResult[] = []): BaseResult[] {
  const own = results.filter(({ environment_id }) => environment_id === row.environmentId)
  return own.length > 0 ? own : results
}

/**
 * Whether the base does not say of a failure that it lacks whether it is known: it lost the test, or it failed there in
 * another way.
 */
function isUndecided(row: FailingRow, results: BaseResult[] | undefined): boolean {
  const own = inEnvironment(row, results)
  const ran = own.filter(({ outcome, classification }) => outcome !== skipped && classification !== infrastructure)
  return ran.length === 0 || ran.some(({ outcome }) => outcome === failed)
}

/** Finds the last result of each test before the base that is not lost and no failure as at the base. */
async function listLastOtherResults(
  trx: Db,
  base: TestRunRow,
  tests: Set<number>,
  atBase: Map<number, BaseResult[]>,
): Promise<Map<number, BaseResult[]>> {
  if (tests.size === 0 || base.branch === null) return new Map()
  const runs = await listCompleteRuns(trx, base.application_id, { branch: base.branch }, maxCandidates)
  const ids = runs.filter(({ id }) => id < base.id).map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const last = new Map<number, BaseResult[]>()
  for (const result of await listResultsOfRuns(trx, ids, [...tests])) {
    if (result.outcome === skipped || result.classification === infrastructure) continue
    const groups = (atBase.get(result.test_id) ?? []).map(({ group_id }) => group_id)
    if (result.outcome === failed && groups.includes(result.group_id)) continue
    const before = last.get(result.test_id)
    const beforeId = before && requireAt(before, 0).run_id
    if (beforeId === result.run_id) before?.push(result)
    else if (beforeId === undefined || beforeId < result.run_id) last.set(result.test_id, [result])
  }
  return last
}
