/** A flip: a test failed and passed on one commit in one environment, in any runs. A lost device causes none. */
import { requireKey } from '@fairlead/invariant'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { flaky, type FlakeState, healthy, suspect } from './flake-state.ts'
import {
  type AttemptedRow,
  listFailedRows,
  listFlips,
  listPassedRows,
  listPassesSinceFlip,
  saveFlip,
} from './flip-store.ts'
import { passed } from '../test-results/outcome.ts'
import type { TestRunRow } from '../test-results/run.ts'
import { listCompleteRuns } from '../test-results/run-store.ts'
import { parseJsonText, toJsonText } from '../db/json-text.ts'

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

/** Records the flips of a run's commit, which this run or an earlier one completes. */
export async function recordFlips(trx: Db, run: TestRunRow): Promise<void> {
  const { commit_hash: commit } = run
  const others = commit === null ? [] : await listCompleteRuns(trx, run.application_id, { commit }, maxRuns)
  const runs = [run, ...others.filter(({ id }) => id !== run.id)]
  const timeOf = new Map(runs.map(({ id, created_at }) => [id, created_at]))
  const failedRows = await listFailedRows(trx, [...timeOf.keys()])
  if (failedRows.length === 0) return
  const testIds = [...new Set(failedRows.map(({ test_id }) => test_id))]
  const passedRows = await listPassedRows(trx, [...timeOf.keys()], testIds)
  const passesOf = Map.groupBy(passedRows, toCaseKey)
  const flips = new Map<string, { row: AttemptedRow; groupIds: Set<number>; at: number }>()
  for (const row of failedRows) {
    const passes = row.outcome === passed ? [row] : [...(passesOf.get(toCaseKey(row)) ?? [])]
    const head = passedRows.find((one) => row.retried_by !== null && isHeadOf(one, row))
    if (head) passes.push(head)
    if (passes.length === 0) continue
    const firstPass = Math.min(...passes.map(({ run_id }) => requireKey(timeOf, run_id)))
    const at = Math.max(firstPass, requireKey(timeOf, row.run_id))
    const key = `${row.test_id} ${row.environment_id}`
    const flip = flips.get(key) ?? { row, groupIds: new Set(), at }
    if (row.group_id !== null) flip.groupIds.add(row.group_id)
    flip.at = Math.min(flip.at, at)
    flips.set(key, flip)
  }
  for (const { row, groupIds, at } of flips.values()) {
    const group_ids = toJsonText([...groupIds].toSorted((a, b) => a - b))
    await saveFlip(trx, {
      test_id: row.test_id,
      environment_id: row.environment_id,
      commit_key: commit ?? `run ${run.id}`,
      commit_hash: commit,
      group_ids,
      flipped_at: at,
    })
  }
}

function toCaseKey({ test_id, environment_id, case_number, number }: AttemptedRow): string {
  return `${test_id} ${environment_id} ${case_number ?? number}`
}

function isHeadOf(head: AttemptedRow, row: AttemptedRow): boolean {
  return (
    head.run_id === row.run_id &&
    head.test_id === row.test_id &&
    head.environment_id === row.environment_id &&
    `${head.report_id}.${head.number}` === row.retried_by
  )
}

/** The state that flips give a test. */
export function toFlakeState(
  flips: Pick<Row<'flips'>, 'commit_key' | 'flipped_at'>[],
  now: number,
  passes: number,
): FlakeState {
  const newest = Math.max(0, ...flips.map(({ flipped_at }) => flipped_at))
  if (newest === 0 || (now - newest >= flakyWindowMs && passes >= healingPasses)) return healthy
  const recent = flips.filter(({ flipped_at }) => newest - flipped_at <= flakyWindowMs)
  return new Set(recent.map(({ commit_key }) => commit_key)).size >= flakyCommits ? flaky : suspect
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
  const tests = await listPassesSinceFlip(trx, unique)
  const flipsOf = Map.groupBy(flips, ({ test_id }) => test_id)
  const groups = new Map<number, Set<number>>()
  for (const { id, passes_since_flip } of tests) {
    const own = flipsOf.get(id) ?? []
    if (toFlakeState(own, now, passes_since_flip) !== flaky) continue
    groups.set(id, new Set(own.flatMap(({ group_ids }) => parseJsonText(group_ids))))
  }
  return groups
}
