/** The last results of a test, as its column `recent` holds them. */
import { type JsonText, parseJsonText, toJsonText } from '../db/json-text.ts'
import type { StoredResult } from '../db/schema/tests.ts'
import type { Row } from '../db/schema.ts'

export interface RecentResult {
  runId: number
  outcome: number
  durationMs: number | null
  environmentId: number
  isFlaky: boolean
}

export function parseRecent({ recent }: Pick<Row<'tests'>, 'recent'>): RecentResult[] {
  return parseJsonText(recent).map(([runId, outcome, durationMs, environmentId, flaky]) => ({
    runId,
    outcome,
    durationMs,
    environmentId,
    isFlaky: flaky === 1,
  }))
}

export function formatRecent(results: RecentResult[]): JsonText<StoredResult[]> {
  const stored = results.map(({ runId, outcome, durationMs, environmentId, isFlaky }): StoredResult => [
    runId,
    outcome,
    durationMs,
    environmentId,
    isFlaky ? 1 : 0,
  ])
  return toJsonText(stored)
}
