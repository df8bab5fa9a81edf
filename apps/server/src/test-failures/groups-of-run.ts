import type { FailureGroupOfRun } from '@fairlead/contract'
import { requireAt, requireKey } from '@fairlead/invariant'
import type { Db } from '../db/open.ts'
import { toFailureClass } from '../test-results/outcome.ts'
import { findTestsOfFailures, listGroupRows } from './group-store.ts'
import { parseJsonText } from '../db/json-text.ts'

/** The most groups that the answer lists, those with the most failures first. */
const maxGroups = 200
/** One aggregate per class would need a column for each class, so the query returns a row for each class. */
const classCount = 6

/** Lists the groups of a run's failures, the largest first. */
export async function listGroupsOfRun(db: Db, runId: number): Promise<FailureGroupOfRun[]> {
  const rows = await listGroupRows(db, runId, maxGroups * classCount)
  const testOf = await findTestsOfFailures(
    db,
    rows.map(({ failure_id }) => failure_id),
  )
  const groups = Map.groupBy(rows, ({ id }) => id)
  const described = [...groups.values()].map((some) => {
    const first = requireAt(some, 0)
    const sum = (name: 'count' | 'test_count') => some.reduce((total, row) => total + row[name], 0)
    return {
      groupId: first.id,
      title: first.title,
      frames: parseJsonText(first.frames),
      count: sum('count'),
      testCount: sum('test_count'),
      classifications: some.flatMap(({ classification }) => toFailureClass(classification) ?? []),
      failureId: first.failure_id,
      testId: requireKey(testOf, first.failure_id),
      firstRunId: first.first_run_id,
    }
  })
  return described.toSorted((a, b) => b.count - a.count).slice(0, maxGroups)
}
