/** A flip: a test failed and passed on one commit in one environment, in any runs. A lost device causes none. */
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { infrastructure, passed } from './outcome.ts'
import type { TestRunRow } from './run.ts'
import { listCompleteRuns } from './run-store.ts'

const day = 24 * 60 * 60 * 1000
/**
 * Two commits with a flip within this time make a test flaky; a flaky test can count as healed only after as long
 * without a flip.
 */
const flakyWindowMs = 14 * day
/** This many first attempts in a row have to pass before a flaky test counts as healed. */
const healingPasses = 20
const flakyCommits = 2
/** The most runs of one commit that are searched. */
const maxRuns = 200

interface Attempted {
  run_id: number
  test_id: number
  environment_id: number
  report_id: number
  number: number
  case_number: number | null
  retried_by: string | null
  outcome: number
  failed_attempts: number
  group_id: number | null
}

/** Records the flips of a run's commit, which this run or an earlier one completes. */
export async function recordFlips(trx: Db, run: TestRunRow): Promise<void> {
  const { commit_hash: commit } = run
  const others = commit === null ? [] : await listCompleteRuns(trx, run.application_id, { commit }, maxRuns)
  const runs = [run, ...others.filter(({ id }) => id !== run.id)]
  const timeOf = new Map(runs.map(({ id, created_at }) => [id, created_at]))
  const failedRows = await listAttempted(trx, [...timeOf.keys()], 'failed')
  if (failedRows.length === 0) return
  const testIds = [...new Set(failedRows.map(({ test_id }) => test_id))]
  const passedRows = await listAttempted(trx, [...timeOf.keys()], 'passed', testIds)
  const passesOf = Map.groupBy(passedRows, toCaseKey)
  const flips = new Map<string, { row: Attempted; groupIds: Set<number>; at: number }>()
  for (const row of failedRows) {
    const passes = row.outcome === passed ? [row] : [...(passesOf.get(toCaseKey(row)) ?? [])]
    const head = passedRows.find((one) => row.retried_by !== null && isHeadOf(one, row))
    if (head) passes.push(head)
    if (passes.length === 0) continue
    const firstPass = Math.min(...passes.map(({ run_id }) => timeOf.get(run_id) ?? Infinity))
    const at = Math.max(firstPass, timeOf.get(row.run_id) ?? 0)
    const key = `${row.test_id} ${row.environment_id}`
    const flip = flips.get(key) ?? { row, groupIds: new Set(), at }
    if (row.group_id !== null) flip.groupIds.add(row.group_id)
    flip.at = Math.min(flip.at, at)
    flips.set(key, flip)
  }
  for (const { row, groupIds, at } of flips.values()) {
    const group_ids = JSON.stringify([...groupIds].toSorted((a, b) => a - b))
    await trx
      .insertInto('flips')
      .values({
        test_id: row.test_id,
        environment_id: row.environment_id,
        commit_key: commit ?? `run ${run.id}`,
        commit_hash: commit,
        group_ids,
        flipped_at: at,
      })
      .onConflict((conflict) =>
        conflict.columns(['test_id', 'environment_id', 'commit_key']).doUpdateSet({ group_ids }),
      )
      .execute()
  }
}

function toCaseKey({ test_id, environment_id, case_number, number }: Attempted): string {
  return `${test_id} ${environment_id} ${case_number ?? number}`
}

function isHeadOf(head: Attempted, row: Attempted): boolean {
  return (
    head.run_id === row.run_id &&
    head.test_id === row.test_id &&
    head.environment_id === row.environment_id &&
    `${head.report_id}.${head.number}` === row.retried_by
  )
}

/** Lists rows with a failed attempt, or rows that passed, of some runs; earlier attempts of a run are included. */
async function listAttempted(
  trx: Db,
  runIds: number[],
  kind: 'failed' | 'passed',
  testIds?: number[],
): Promise<Attempted[]> {
  const select = (runId: number) =>
    trx
      .selectFrom('test_results as result')
      .innerJoin('test_reports as report', 'report.id', 'result.report_id')
      .leftJoin('test_failures as failure', 'failure.id', 'result.failure_id')
      .select([
        'result.run_id',
        'result.test_id',
        'result.environment_id',
        'result.report_id',
        'result.number',
        'result.case_number',
        'result.retried_by',
        'result.outcome',
        'result.failed_attempts',
        'failure.group_id',
      ])
      .where('result.run_id', '=', runId)
      .where('report.sha256', 'is not', null)
      .where((where) =>
        where.or([where('result.classification', 'is', null), where('result.classification', '!=', infrastructure)]),
      )
  const rows: Attempted[] = []
  for (const runId of runIds) {
    const found =
      kind === 'failed'
        ? await select(runId).where('result.failed_attempts', '>', 0).execute()
        : await selectInBatches(testIds ?? [], (ids) =>
            select(runId).where('result.outcome', '=', passed).where('result.test_id', 'in', ids).execute(),
          )
    for (const row of found) rows.push(row)
  }
  return rows
}

/** The state that flips give a test: 0 healthy, 1 suspect, 2 flaky. */
export function toFlakeState(flips: Pick<Row<'flips'>, 'commit_key' | 'flipped_at'>[], now: number, passes: number) {
  const newest = Math.max(0, ...flips.map(({ flipped_at }) => flipped_at))
  if (newest === 0 || (now - newest >= flakyWindowMs && passes >= healingPasses)) return 0
  const recent = flips.filter(({ flipped_at }) => newest - flipped_at <= flakyWindowMs)
  return new Set(recent.map(({ commit_key }) => commit_key)).size >= flakyCommits ? 2 : 1
}

/** The groups of failures in which flaky tests have flipped, by test; with `until`, only by flips until that time. */
export async function findFlakyGroups(
  trx: Db,
  testIds: number[],
  now: number,
  until = Infinity,
): Promise<Map<number, Set<number>>> {
  const unique = [...new Set(testIds)]
  const flips = (await listFlips(trx, unique)).filter(({ flipped_at }) => flipped_at <= until)
  const tests = await selectInBatches(unique, (ids) =>
    trx.selectFrom('tests').select(['id', 'passes_since_flip']).where('id', 'in', ids).execute(),
  )
  const flipsOf = Map.groupBy(flips, ({ test_id }) => test_id)
  const groups = new Map<number, Set<number>>()
  for (const { id, passes_since_flip } of tests) {
    const own = flipsOf.get(id) ?? []
    if (toFlakeState(own, now, passes_since_flip) !== 2) continue
    groups.set(id, new Set(own.flatMap(({ group_ids }) => JSON.parse(group_ids) as number[])))
  }
  return groups
}

export async function listFlips(db: Db, testIds: number[]): Promise<Row<'flips'>[]> {
  return selectInBatches(testIds, (ids) =>
    db.selectFrom('flips').selectAll().where('test_id', 'in', ids).orderBy('flipped_at').execute(),
  )
}
