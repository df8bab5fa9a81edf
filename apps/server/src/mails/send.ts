import { setTimeout } from 'node:timers/promises'
import type { AppContext } from '../context.ts'
import type { JobHandler } from '../jobs/job.ts'
import { secretPlaceholder } from './enqueue.ts'
import { createDeadline } from './deadline.ts'
import { placeNotes } from './notes.ts'
import { embedIcon, type MailBody } from './embed-icon.ts'
import type { MailRow } from './mail.ts'
import { deleteMail, findMail, isUnwanted, updateMail } from './store.ts'

export interface MailSender extends JobHandler<'send-mail'>, Disposable {}

/** Timeouts in milliseconds for each step of the SMTP dialogue. */
const patience = { connectionTimeout: '15000', greetingTimeout: '15000', socketTimeout: '30000' }

/** The pause between attempts to record that a mail was sent, in milliseconds. */
const finishRetryMs = 250

/** Creates the handler that sends mails over SMTP and records the outcome in the outbox. */
export async function createMailSender(context: Pick<AppContext, 'db' | 'blobs' | 'config'>): Promise<MailSender> {
  const { db, config } = context
  const transport = config.smtpUrl === null ? undefined : await openTransport(config.smtpUrl)

  return {
    async run({ mailId }, stopping) {
      const found = await findMail(db, mailId)
      if (!found || found.status !== 'waiting') return undefined
      const mail = revealSecret(found)
      // Without a mail server the mail waits until a later start has one configured.
      if (!transport) return undefined
      if (await isUnwanted(db, mail)) {
        await giveUp(mailId, 'The tester has unsubscribed')
        return undefined
      }
      try {
        using deadline = createDeadline(stopping)
        const { text, html } = placeNotes(mail)
        const body = await embedIcon(context, { ...mail, html })
        await transport.sendMail({ ...toMessage(mail, { ...body, text }, config.mailFrom), signal: deadline.signal })
      } catch (error) {
        if (!isRefusal(error)) throw error
        await giveUp(mailId, error)
        return undefined
      }
      await finishUntilRecorded(mail, stopping)
      return undefined
    },
    async fail({ mailId }, error, isLast) {
      if (isLast) await giveUp(mailId, error)
      else await updateMail(db, mailId, { error: toText(error) })
    },
    [Symbol.dispose]() {
      transport?.close()
    },
  }

  /** A sent mail that is not recorded would be sent again, so this retries until the database answers. */
  async function finishUntilRecorded(mail: MailRow, stopping: AbortSignal): Promise<void> {
    for (;;) {
      try {
        return await finish(mail)
      } catch (error) {
        if (stopping.aborted) throw error
        await setTimeout(finishRetryMs)
      }
    }
  }

  /** Mails of the server itself contain secrets and have no reader, so they are deleted once sent. */
  async function finish({ id, workspace_id }: MailRow): Promise<void> {
    if (workspace_id === null) await deleteMail(db, id)
    else await updateMail(db, id, { status: 'sent', error: null, sent_at: Date.now(), secret: null })
  }

  async function giveUp(id: number, error: unknown): Promise<void> {
    await updateMail(db, id, { status: 'failed', error: toText(error) })
  }
}

/** Nodemailer is loaded only where there is a mail server, because it would take a tenth of every start. */
async function openTransport(smtpUrl: string) {
  const { createTransport } = await import('nodemailer')
  return createTransport(withDefaults(smtpUrl))
}

function revealSecret(mail: MailRow): MailRow {
  const { secret, text, html } = mail
  if (secret === null) return mail
  return { ...mail, text: text.replaceAll(secretPlaceholder, secret), html: html.replaceAll(secretPlaceholder, secret) }
}

/** Parameters in the SMTP URL take precedence, as in `smtp://host?connectionTimeout=5000`. */
function withDefaults(smtpUrl: string): string {
  const url = new URL(smtpUrl)
  for (const [name, value] of Object.entries({ pool: 'true', maxConnections: '4', ...patience })) {
    if (!url.searchParams.has(name)) url.searchParams.set(name, value)
  }
  return url.href
}

function toMessage(mail: MailRow, body: MailBody & { text: string }, from: string) {
  const domain = /@([^@>\s]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'
  return {
    from,
    to: { name: '', address: mail.recipient },
    subject: mail.subject,
    ...body,
    // Every attempt has the same Message-ID, so that mailboxes can recognize a mail that was sent twice.
    messageId: `<fairlead-${mail.id}-${mail.created_at}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated', ...toListHeaders(mail.unsubscribe_url) },
    // Nodemailer must not resolve file paths or URLs in the content.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Offers one click to unsubscribe, by RFC 8058. The address has no space where a long line could be folded. */
function toListHeaders(url: string | null) {
  if (url === null) return undefined
  return {
    'List-Unsubscribe': { prepared: true, value: `<${url}>` },
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}

/**
 * Tells whether the mail server refused the mail permanently (RFC 5321, reply codes 5yz), so that a retry is useless.
 */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('responseCode' in error)) return false
  return (error.code === 'EENVELOPE' || error.code === 'EMESSAGE') && Number(error.responseCode) >= 500
}

function toText(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 1000)
}
