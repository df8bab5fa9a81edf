import type { Mail } from '@fairlead/contract'
import type { Row } from '../db/schema.ts'
import { placeNotes } from './notes.ts'
import { toInstant, toInstantOrNull } from '../http/instant.ts'

/** A mail with its release notes, if it has any. */
export interface MailRow extends Row<'mails'> {
  notes: Row<'mail_notes'> | null
}

export function toMail(row: MailRow): Mail {
  return {
    id: row.id,
    recipient: row.recipient,
    subject: row.subject,
    ...placeNotes(row),
    status: row.status,
    error: row.error,
    createdDate: toInstant(row.created_at),
    sentDate: toInstantOrNull(row.sent_at),
  }
}
