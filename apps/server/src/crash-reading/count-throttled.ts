import { requireKey } from '@fairlead/invariant'
import type { Db } from '../db/open.ts'
import { listExistingApplications } from '../crash-stacks/application-store.ts'
import { addDrops } from './inbox-store.ts'

/** Counts refused deliveries. Each is given by the id of its application, which may have been deleted meanwhile. */
export async function countThrottled(trx: Db, applicationIds: readonly number[]): Promise<void> {
  const counts = Map.groupBy(applicationIds, (id) => id)
  for (const id of await listExistingApplications(trx, [...counts.keys()])) {
    await addDrops(trx, id, new Map([['throttled', requireKey(counts, id).length]]))
  }
}
