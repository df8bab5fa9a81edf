import type { AppContext } from '../context.ts'
import { addDrops } from '../crashes/inbox-store.ts'
import type { Db } from '../db/open.ts'
import { transact } from '../db/transact.ts'
import { type Batch, createBatch } from '../jobs/batch.ts'
import { listExistingApplications } from './store.ts'

/**
 * Counts the deliveries that were refused because their key sent too many, by application. The counts are written a
 * moment later together, because a flood must not cost a transaction for each refusal.
 */
export function createThrottleCount({ db, log }: Pick<AppContext, 'db' | 'log'>): Batch<number> {
  return createBatch((applicationIds: number[]) => transact(db, (trx) => addThrottled(trx, applicationIds)), log)
}

async function addThrottled(trx: Db, applicationIds: readonly number[]): Promise<void> {
  const counts = Map.groupBy(applicationIds, (id) => id)
  // An application may have been deleted meanwhile.
  for (const id of await listExistingApplications(trx, [...counts.keys()])) {
    await addDrops(trx, id, new Map([['throttled', counts.get(id)?.length ?? 0]]))
  }
}
