import type { Db } from '../db/open.ts'
import { countExecuted, type FailingRow } from './judge-store.ts'

/** So much of a shard in one group of failures says something about the machine and nothing about the tests. */
const share = 0.8
/** In a shard of fewer tests, equal failures are no sign of a lost machine. */
const minFailures = 4

/** Finds the failures that a lost device or machine caused. */
export async function findInfrastructureFailures(trx: Db, runId: number, rows: FailingRow[]): Promise<Set<FailingRow>> {
  const lost = new Set(rows.filter((row) => row.isDeviceFailure))
  // A rerun of what failed is small, so it is measured by the largest attempt of its shard.
  const executed = new Map<number, number>()
  for (const { shard, count } of await countExecuted(trx, runId)) {
    executed.set(shard, Math.max(executed.get(shard) ?? 0, count))
  }
  const grouped = Map.groupBy(
    rows.filter(({ hasFailed, groupId }) => hasFailed && groupId !== null),
    ({ runAttempt, shard, groupId }) => `${runAttempt} ${shard} ${groupId}`,
  )
  for (const some of grouped.values()) {
    const total = executed.get(some[0]?.shard ?? 0) ?? 0
    if (some.length < minFailures || some.length < share * total) continue
    for (const row of some) lost.add(row)
  }
  return lost
}
