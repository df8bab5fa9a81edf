/** Decides which failures are those in which flaky tests have flipped. */
import { parseJsonText } from '../db/json-text.ts'
import type { Db } from '../db/open.ts'
import { listEarlierFailures } from '../test-history/flip-store.ts'
import { findFlakyGroups } from '../test-history/flips.ts'
import { areOtherAssertions } from '../test-results/asserted.ts'
import type { FailingRow } from '../test-results/failing-row.ts'
import type { TestRunRow } from '../test-results/run.ts'

/** @param until counts the flips until that time only, for a run that is judged again */
export async function findFlakyFailures(
  trx: Db,
  run: TestRunRow,
  rows: FailingRow[],
  until: number | undefined,
): Promise<Set<FailingRow>> {
  const ids = rows.map(({ testId }) => testId)
  const groups = await findFlakyGroups(trx, ids, run.created_at, until)
  const inGroup = rows.filter(({ testId, groupId }) => groupId !== null && groups.get(testId)?.has(groupId) === true)
  const tests = new Set(inGroup.map(({ testId }) => testId))
  const earlier = (await listEarlierFailures(trx, run.id, [...tests])).map((failure) => ({
    ...failure,
    otherKeys: failure.other_keys === null ? [] : parseJsonText(failure.other_keys),
    assertion: failure.assertion === null ? null : parseJsonText(failure.assertion),
  }))
  const earlierOf = Map.groupBy(earlier, ({ test_id }) => test_id)
  const isSeen = ({ testId, groupId, assertion, otherKeys }: FailingRow): boolean => {
    const ofTest = earlierOf.get(testId) ?? []
    const flipped = ofTest.filter(({ group_id }) => group_id !== null && groups.get(testId)?.has(group_id) === true)
    // Their failures may have been deleted because of their age.
    if (flipped.length === 0) return true
    const keys = new Set(flipped.flatMap((failure) => [failure.group_key, ...failure.otherKeys]))
    const ofGroup = flipped.filter(({ group_id }) => group_id === groupId)
    const hadFirst = ofGroup.length === 0 || ofGroup.some((one) => !areOtherAssertions(assertion, one.assertion))
    return hadFirst && otherKeys.every((key) => keys.has(key))
  }
  return new Set(inGroup.filter(isSeen))
}
