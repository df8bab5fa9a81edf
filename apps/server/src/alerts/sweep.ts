import type { Db } from '../db/open.ts'
import { deleteOldAlerts } from './alerts-store.ts'

const dayMs = 24 * 60 * 60 * 1000
const keptDays = 90
/** The longest window of a rule is a week. */
const countedDays = 8

/** Deletes what was told of for long enough, and counts that no window reaches. */
export async function sweepAlerts(db: Db, now: number): Promise<void> {
  await deleteOldAlerts(db, { firedBefore: now - keptDays * dayMs, countedBefore: now - countedDays * dayMs })
}
