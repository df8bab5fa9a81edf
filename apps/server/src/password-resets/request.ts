import { toEmailKey } from '../db/email-key.ts'
import { toNetwork } from '../passwords/network.ts'
import type { AppContext } from '../context.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'

/**
 * Enqueues a password-reset mail. Only the worker looks the account up, so that neither the answer nor its timing
 * reveals whether the account exists. Above the rate limits it silently does nothing.
 */
export async function requestPasswordReset(
  { db, jobs, guard }: Pick<AppContext, 'db' | 'jobs' | 'guard'>,
  email: string,
  address: string,
): Promise<void> {
  const waits = [await guard.byAddress.count(toNetwork(address)), await guard.resets.count(toEmailKey(email))]
  if (waits.some((wait) => wait !== undefined)) return
  await enqueueJobs(db, [{ kind: 'reset-password', payload: { email } }])
  jobs.wake()
}
