import type { Db } from '../db/open.ts'
import { deleteSomeOldDeliveries } from './delivery-store.ts'

/** How many rows one statement deletes, so that others get their turn. */
const batchSize = 500

/** Deletes deliveries from before a time, and the events that have none. */
export async function sweepDeliveries(db: Db, before: number): Promise<void> {
  while ((await deleteSomeOldDeliveries(db, before, batchSize)) > 0);
}
