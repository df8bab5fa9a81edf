import { toEmailKey } from '../db/email-key.ts'
import { toNetwork } from '../passwords/network.ts'
import type { AppContext } from '../context.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'

/**
 * Enqueues a password-reset mail. Only the worker looks the account up, so that neither the answer nor its timing
 * reveals whether the account exists. Above the rate limits it silently does nothing; resets have limits of their own,
 * so that requests for resets keep nobody from signing in. Where passwords are off, it does nothing either.
 */
export async function requestPasswordReset(
  { db, config, jobs, guard }: Pick<AppContext, 'db' | 'config' | 'jobs' | 'guard'>,
  email: string,
  address: string,
): Promise<void> {
  // Without a mail server, only the command `reset-password` on the machine makes a link.
  if (config.smtpUrl === null || config.passwordSignIn === 'server-admins') return
  const waits = [await guard.resetsByAddress.count(toNetwork(address)), await guard.resets.count(toEmailKey(email))]
  if (waits.some((wait) => wait !== undefined)) return
  await enqueueJobs(db, [{ kind: 'reset-password', payload: { email } }])
  jobs.wake()
}
