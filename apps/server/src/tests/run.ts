import type { TestCounts, TestRun, Verdict } from '@fairlead/contract'
import type { Row } from '../db/schema.ts'
import { toInstant, toInstantOrNull } from '../http/instant.ts'

export type TestRunRow = Row<'test_runs'>

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
    result: toResult(row),
    createdDate: toInstant(row.created_at),
    completedDate: toInstantOrNull(row.completed_at),
  }
}

function toResult({ state, verdict }: TestRunRow): TestRun['result'] {
  if (state === 'open' || verdict === null) return 'pending'
  return (JSON.parse(verdict) as Verdict).result // only `judgeRun` writes this column
}

export function parseShards({ shards_received }: Pick<TestRunRow, 'shards_received'>): number[] {
  return JSON.parse(shards_received) as number[] // only `toShards` writes this column
}

/** Tells whether every shard has arrived; also true for a run that is not divided into shards. */
export function hasAllShards(row: Pick<TestRunRow, 'shards_expected' | 'shards_received'>): boolean {
  return row.shards_expected === null || parseShards(row).length >= row.shards_expected
}

function toCounts({ cases, passed, failed, skipped, flaky, attempts }: TestRunRow): TestCounts {
  return { cases, passed, failed, skipped, flaky, attempts }
}
