import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import { insertMails } from './store.ts'

export interface NewMail {
  recipient: string
  subject: string
  text: string
  /** A complete HTML page. */
  html: string
  /** The build that the mail is about; its icon is attached. */
  buildId?: number
}

/** Rows per statement; mails are long. */
const batchSize = 100

/**
 * Puts mails into the outbox of a workspace, or of the server itself when `workspaceId` is null. Without a mail server
 * they stay there. Call it in the transaction of the change that the mails report, and wake the worker after the
 * commit.
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

/** App names come from uploads, so line breaks are removed to prevent header injection. */
function toOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, 250)
}
