/** The tables of the outbox as Kysely types. */
import type { Generated } from 'kysely'

interface MailsTable {
  id: Generated<number>
  /** Null for mails of the server itself, such as password resets, which workspace administrators may not read. */
  workspace_id: number | null
  /** The build that the mail is about; null when there is none or it was deleted. */
  build_id: number | null
  /** The tester whom the mail tells of that build; null for other mails and when the tester was deleted. */
  tester_id: number | null
  /** Where the recipient can unsubscribe; null for mails that are not to testers. */
  unsubscribe_url: string | null
  recipient: string
  subject: string
  text: string
  html: string
  /** Release notes to be placed in the text and the HTML; null when the mail has none. */
  notes_id: number | null
  /** Replaces the placeholder in text and HTML when the mail is sent; the outbox never shows it. */
  secret: string | null
  status: 'waiting' | 'sent' | 'failed'
  error: string | null
  created_at: number
  sent_at: number | null
}

/** Release notes as the mails of one distribution show them, so that a thousand mails do not store them each. */
interface MailNotesTable {
  id: Generated<number>
  text: string
  html: string
}

export interface MailsSchema {
  mails: MailsTable
  mail_notes: MailNotesTable
}
