import { toEmailKey } from '../accounts/account.ts'
import type { Throttle } from '../accounts/throttle.ts'
import type { AppContext } from '../context.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'

/**
 * Asks for a mail with a link to a new password. Whether the address has an account is looked up by the worker, so
 * that neither the answer nor its time tells. Too many requests for one address, or from one, do nothing more.
 */
export async function requestPasswordReset(
  { db, jobs, resets }: Pick<AppContext, 'db' | 'jobs'> & { resets: Throttle },
  email: string,
  address: string,
): Promise<void> {
  if (resets.count(`from ${address}`) !== undefined || resets.count(`to ${toEmailKey(email)}`) !== undefined) return
  await enqueueJobs(db, [{ kind: 'reset-password', payload: { email } }])
  jobs.wake()
}
