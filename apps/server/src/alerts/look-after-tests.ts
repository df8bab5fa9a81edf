import type { Db } from '../db/open.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import { toLookJob } from './look.ts'
import { listActiveRules } from './store.ts'

/** Has the rules about tests looked at once the transaction is committed. */
export async function lookAfterTests(trx: Db, applicationId: number): Promise<void> {
  const rules = await listActiveRules(trx, applicationId, ['testVerdict', 'flakyRate'])
  if (rules.length > 0) await enqueueJobs(trx, [toLookJob(applicationId)])
}
