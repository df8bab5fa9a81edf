import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import { insertMails } from './store.ts'

export interface NewMail {
  recipient: string
  subject: string
  text: string
  /** A whole page. */
  html: string
  /** The build that the mail is about, whose icon goes with it. */
  buildId?: number
}

/** Mails are long, so few of them go into one statement. */
const batchSize = 100

/**
 * Puts mails into the outbox of a workspace, or, with null, that of the server itself. Without a mail server they wait
 * there. Call it in the transaction of what the mails tell of, and wake the worker after the commit.
 */
export async function enqueueMails(
  { db, config }: Pick<AppContext, 'config'> & { db: Db },
  workspaceId: number | null,
  mails: NewMail[],
): Promise<void> {
  for (let start = 0; start < mails.length; start += batchSize) {
    const ids = await insertMails(
      db,
      mails.slice(start, start + batchSize).map(({ recipient, subject, text, html, buildId = null }) => ({
        workspace_id: workspaceId,
        build_id: buildId,
        recipient,
        subject: toOneLine(subject),
        text,
        html,
        status: 'waiting' as const,
        created_at: Date.now(),
      })),
    )
    if (config.smtpUrl !== null) await enqueueJobs(db, ids.map(toSendJob))
  }
}

export function toSendJob(mailId: number) {
  return { kind: 'send-mail' as const, key: `mail:${mailId}`, payload: { mailId } }
}

/** Names of apps come from outside: one with a line break must not look like a header. */
function toOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, 250)
}
