import { toEmailKey } from '../db/email-key.ts'
import { toNetwork } from '../passwords/network.ts'
import type { AppContext } from '../context.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'

/**
 * Asks for a mail with a link to a new password. Whether the address has an account is looked up by the worker, so
 * that neither the answer nor its time tells. Too many requests for one address, or from one, do nothing more.
 */
export async function requestPasswordReset(
  { db, jobs, guard }: Pick<AppContext, 'db' | 'jobs' | 'guard'>,
  email: string,
  address: string,
): Promise<void> {
  const waits = [guard.byAddress.count(toNetwork(address)), guard.resets.count(toEmailKey(email))]
  if (waits.some((wait) => wait !== undefined)) return
  await enqueueJobs(db, [{ kind: 'reset-password', payload: { email } }])
  jobs.wake()
}
