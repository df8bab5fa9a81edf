import type { TestCounts, TestRun, Verdict } from '@fairlead/contract'
import type { Row } from '../db/schema.ts'
import { toInstant, toInstantOrNull } from '../http/instant.ts'
import { parseJsonText } from '../db/json-text.ts'

export type TestRunRow = Row<'test_runs'>

/** A run that got no report for this long is complete. */
export const quietMs = 60 * 60_000

/** How long the job that finishes a run leaves it to the request that is doing the same. */
export const leftAloneMs = 5000

/** What a complete run still needs, because a report has joined it or because its process died. */
export const Unfinished = {
  nothing: 0,
  /** It has to be judged: its verdict and classes are those of fewer reports. */
  judgement: 1,
  /** It is judged, but the tests, their lists and their owners are those of before. */
  tests: 2,
} as const

export const countNames = ['cases', 'passed', 'failed', 'skipped', 'flaky', 'attempts'] as const

export function toTestRun(row: TestRunRow): TestRun {
  return {
    id: row.id,
    applicationId: row.application_id,
    key: row.run_key,
    branch: row.branch,
    commit: row.commit_hash,
    baseCommit: row.base_commit,
    ciUrl: row.ci_url,
    buildId: row.build_id,
    attempt: row.attempt,
    state: row.state,
    isIncomplete: row.has_left_out === 1 || (row.state === 'complete' && !hasAllShards(row)),
    shards: { expected: row.shards_expected, received: parseShards(row) },
    counts: toCounts(row),
    durationMs: row.duration_ms,
    result: toVerdict(row)?.result ?? 'pending',
    failures: toFailures(row),
    createdDate: toInstant(row.created_at),
    completedDate: toInstantOrNull(row.completed_at),
  }
}

function toVerdict(row: TestRunRow): Verdict | undefined {
  const { verdict } = row
  return !isJudged(row) || verdict === null ? undefined : parseJsonText(verdict)
}

function toFailures(row: TestRunRow): TestRun['failures'] {
  const counts = toVerdict(row)?.counts
  if (!counts) return null
  const { new: fresh, known, flaky, quarantined, infrastructure } = counts
  return { new: fresh, known, flaky, quarantined, infrastructure }
}

/** Tells whether class and verdict of a run are those of all its reports. */
export function isJudged({ state, verdict, unfinished }: TestRunRow): boolean {
  return state === 'complete' && verdict !== null && unfinished !== Unfinished.judgement
}

export function parseShards({ shards_received }: Pick<TestRunRow, 'shards_received'>): number[] {
  return parseJsonText(shards_received)
}

/** Tells whether every shard has arrived; also true for a run that is not divided into shards. */
export function hasAllShards(row: Pick<TestRunRow, 'shards_expected' | 'shards_received'>): boolean {
  return row.shards_expected === null || parseShards(row).length >= row.shards_expected
}

/** Counts the shards of a run that did not come. */
export function countLostShards(row: Pick<TestRunRow, 'shards_expected' | 'shards_received'>): number {
  return row.shards_expected === null ? 0 : Math.max(0, row.shards_expected - parseShards(row).length)
}

function toCounts({ cases, passed, failed, skipped, flaky, attempts }: TestRunRow): TestCounts {
  return { cases, passed, failed, skipped, flaky, attempts }
}

/** A run with fewer tests than this share of another one is a stump. */
export const wholeShare = 0.8

/** Skipped tests do not count: a filter of names leaves tests out in this way. */
export function countRan({ cases, skipped }: TestRunRow): number {
  return cases - skipped
}
