import { requireAt, requireKey } from '@fairlead/invariant'
import type { FailingRow } from '../test-results/failing-row.ts'
import type { Db } from '../db/open.ts'
import { countExecuted, countPassedBefore } from './judge-store.ts'
import type { TestRunRow } from '../test-results/run.ts'

/**
 * If this share of a shard fails in one group, and passed before at the same commit, the machine is the cause and not
 * the tests. Without a pass it is a broken app or fixture, such as a hook that fails before each test.
 */
const share = 0.8
/** In a shard with fewer failures, equal ones are no sign of a lost machine. */
const minFailures = 4

/** Finds the failures that a lost device or machine caused. */
export async function findInfrastructureFailures(
  trx: Db,
  run: TestRunRow,
  rows: FailingRow[],
): Promise<Set<FailingRow>> {
  const lost = new Set(rows.filter((row) => row.isDeviceFailure))
  // A rerun of failed tests is small, so its share is of the largest attempt of its shard.
  const executed = new Map<number, number>()
  for (const { shard, count } of await countExecuted(trx, run.id)) {
    executed.set(shard, Math.max(executed.get(shard) ?? 0, count))
  }
  const grouped = Map.groupBy(
    rows.filter(({ hasFailed, groupId }) => hasFailed && groupId !== null),
    ({ runAttempt, shard, groupId }) => `${runAttempt} ${shard} ${groupId}`,
  )
  for (const some of grouped.values()) {
    const { shard, runAttempt } = requireAt(some, 0)
    const total = requireKey(executed, shard)
    if (some.length < minFailures || some.length < share * total) continue
    const tests = new Set(some.map(({ testId }) => testId))
    const passedBefore = await countPassedBefore(trx, run, runAttempt, [...tests])
    if (passedBefore < share * tests.size) continue
    for (const row of some) lost.add(row)
  }
  return lost
}
