import { createTransport } from 'nodemailer'
import type { AppContext } from '../context.ts'
import type { JobHandler } from '../jobs/job.ts'
import { createDeadline } from './deadline.ts'
import { embedIcon, type MailBody } from './embed-icon.ts'
import type { MailRow } from './mail.ts'
import { deleteMail, findMail, updateMail } from './store.ts'

export interface MailSender extends JobHandler<'send-mail'>, Disposable {}

/** What a mail server may take for each step before it counts as silent. */
const patience = { connectionTimeout: '15000', greetingTimeout: '15000', socketTimeout: '30000' }

/** Sends the mails of the outbox over the configured server, and writes in the outbox what became of each. */
export function createMailSender(context: Pick<AppContext, 'db' | 'blobs' | 'config'>): MailSender {
  const { db, config } = context
  const transport = config.smtpUrl === null ? undefined : createTransport(withDefaults(config.smtpUrl))

  return {
    async run({ mailId }, stopping) {
      const mail = await findMail(db, mailId)
      if (!mail || mail.status !== 'waiting') return undefined
      // The mail server was taken out of the settings: the mail waits for a start that has one.
      if (!transport) return undefined
      try {
        using deadline = createDeadline(stopping)
        const body = await embedIcon(context, mail)
        await transport.sendMail({ ...toMessage(mail, body, config.mailFrom), signal: deadline.signal })
      } catch (error) {
        if (!isRefusal(error)) throw error
        await giveUp(mailId, error)
        return undefined
      }
      await finish(mail)
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

  /** A mail of the server itself holds a secret and nobody may read it, so nothing of it is kept. */
  async function finish({ id, workspace_id }: MailRow): Promise<void> {
    if (workspace_id === null) await deleteMail(db, id)
    else await updateMail(db, id, { status: 'sent', error: null, sent_at: Date.now() })
  }

  async function giveUp(id: number, error: unknown): Promise<void> {
    await updateMail(db, id, { status: 'failed', error: toText(error) })
  }
}

/** The address may set each of these itself, as in `smtp://host?connectionTimeout=5000`. */
function withDefaults(smtpUrl: string): string {
  const url = new URL(smtpUrl)
  for (const [name, value] of Object.entries({ pool: 'true', maxConnections: '4', ...patience })) {
    if (!url.searchParams.has(name)) url.searchParams.set(name, value)
  }
  return url.href
}

function toMessage(mail: MailRow, body: MailBody, from: string) {
  const domain = /@([^@>\s]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'
  return {
    from,
    to: { name: '', address: mail.recipient },
    subject: mail.subject,
    text: mail.text,
    ...body,
    // The same for every attempt: where a mail was sent twice after all, mailboxes can see that it is one.
    messageId: `<fairlead-${mail.id}-${mail.created_at}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    // A mail is text that was made here: nothing in it may name a file or an address to be fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Whether the mail server refused this mail for good (RFC 5321: 5yz), so that trying again is no use. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('responseCode' in error)) return false
  return (error.code === 'EENVELOPE' || error.code === 'EMESSAGE') && Number(error.responseCode) >= 500
}

function toText(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 1000)
}
