import type { CrashIntake } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { countDeliveries, listDrops } from './inbox-store.ts'
import { countStaleStacks, countWaitingStacks } from '../crash-stacks/stacks-store.ts'

export async function describeIntake({ db }: Pick<AppContext, 'db'>, applicationId: number): Promise<CrashIntake> {
  const deliveries = await countDeliveries(db, applicationId)
  const stale = await countStaleStacks(db, applicationId)
  const drops = await listDrops(db, applicationId)
  return {
    pendingCount: deliveries + stale,
    waitingStackCount: await countWaitingStacks(db, applicationId),
    droppedCounts: Object.fromEntries(drops.map(({ reason, count }) => [reason, count])),
  }
}
