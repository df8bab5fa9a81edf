import type { Mail } from '@fairlead/contract'

/** A mail server takes a mail within seconds. If a mail waits longer, there is no server or it does not answer. */
const patienceMs = 2 * 60_000

/** Whether mails are written but not sent, judged by the newest one. */
export function areMailsStuck(newestFirst: Pick<Mail, 'status' | 'createdDate'>[], now = Date.now()): boolean {
  const [newest] = newestFirst
  return newest?.status === 'waiting' && now - new Date(newest.createdDate).getTime() > patienceMs
}
