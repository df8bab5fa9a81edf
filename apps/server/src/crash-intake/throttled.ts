import type { AppContext } from '../context.ts'
import { countThrottled } from '../crash-reading/count-throttled.ts'
import { transact } from '../db/transact.ts'
import { type Batch, createBatch } from '../jobs/batch.ts'

/**
 * Counts the deliveries that were refused because their key sent too many, by application. The counts are written a
 * moment later together, because a flood must not cost a transaction for each refusal.
 */
export function createThrottleCount({ db, log }: Pick<AppContext, 'db' | 'log'>): Batch<number> {
  return createBatch((applicationIds: number[]) => transact(db, (trx) => countThrottled(trx, applicationIds)), log)
}
