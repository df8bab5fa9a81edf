import { ApiError } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import type { NewMailNotes } from './notes.ts'
import { countMailsSince, insertMails, insertNotes } from './store.ts'

export interface NewMail {
  recipient: string
  subject: string
  text: string
  /** A complete HTML page. */
  html: string
  /** The build that the mail is about; its icon is attached. */
  buildId?: number
  /** The tester whom the mail tells of that build. */
  testerId?: number
  /** Where the recipient can unsubscribe; mail programs show a button for it. */
  unsubscribeUrl?: string
  /** The id of the release notes that replace `notesPlace` in the text and the HTML. */
  notesId?: number | null
  /** Replaces `secretPlaceholder` when the mail is sent, so that the outbox does not show it. */
  secret?: string
}

/** The placeholder for the secret of a mail in its text and HTML. */
export const secretPlaceholder = 'hidden-until-sent'

/** How many rows one statement inserts, because mails are long. */
const batchSize = 100

/**
 * Puts mails into the outbox of a workspace, or of the server itself when `workspaceId` is null. Without a mail server
 * they stay there. Call it in the transaction of the change that the mails report, and wake the worker after the
 * commit. Returns the ids of the mails.
 *
 * @throws {ApiError} tooManyMails beyond the workspace's quota of an hour
 */
export async function enqueueMails(
  { db, config }: Pick<AppContext, 'config'> & { db: Db },
  workspaceId: number | null,
  mails: NewMail[],
): Promise<number[]> {
  if (workspaceId !== null) await requireMailQuota(db, workspaceId, mails.length, config.quotas.maxMailsPerHour)
  const inserted: number[] = []
  for (let start = 0; start < mails.length; start += batchSize) {
    const ids = await insertMails(
      db,
      mails.slice(start, start + batchSize).map((mail) => ({
        workspace_id: workspaceId,
        build_id: mail.buildId ?? null,
        tester_id: mail.testerId ?? null,
        unsubscribe_url: mail.unsubscribeUrl ?? null,
        notes_id: mail.notesId ?? null,
        recipient: mail.recipient,
        subject: toOneLine(mail.subject),
        text: mail.text,
        html: mail.html,
        secret: mail.secret ?? null,
        status: 'waiting' as const,
        created_at: Date.now(),
      })),
    )
    if (config.smtpUrl !== null) await enqueueJobs(db, ids.map(toSendJob))
    inserted.push(...ids)
  }
  return inserted
}

const hour = 60 * 60 * 1000

/**
 * Call this before a change whose mails are written in batches, so that it is refused as a whole.
 *
 * @throws {ApiError} tooManyMails
 */
export async function requireMailQuota(db: Db, workspaceId: number, count: number, limit: number): Promise<void> {
  if (count === 0 || (await countMailsSince(db, workspaceId, Date.now() - hour)) + count <= limit) return
  throw new ApiError('tooManyMails', {
    detail: `The workspace may put ${limit} mails an hour into its outbox`,
    headers: { 'retry-after': '3600' },
  })
}

export function toSendJob(mailId: number) {
  return { kind: 'send-mail' as const, key: `mail:${mailId}`, payload: { mailId } }
}

/** App names come from uploads, so line breaks are removed to prevent header injection. */
function toOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, 250)
}

/** Stores release notes and returns their id. Call it in the transaction that enqueues the mails. */
export async function storeMailNotes(trx: Db, notes: NewMailNotes): Promise<number> {
  return insertNotes(trx, notes)
}
