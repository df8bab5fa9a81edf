import type { Db } from '../db/open.ts'
import { addToMinute, type Counted } from './counts-store.ts'

/** Counts what alert rules measure, in the transaction of the crashes, installs or sessions. */
export async function countForAlerts(trx: Db, applicationId: number, counted: Counted): Promise<void> {
  await addToMinute(trx, applicationId, counted)
}
