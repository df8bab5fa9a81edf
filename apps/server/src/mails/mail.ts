import type { Mail } from '@fairlead/contract'
import type { Row } from '../db/schema.ts'
import { toInstant, toInstantOrNull } from '../http/instant.ts'

export type MailRow = Row<'mails'>

export function toMail(row: MailRow): Mail {
  return {
    id: row.id,
    recipient: row.recipient,
    subject: row.subject,
    text: row.text,
    html: row.html,
    status: row.status,
    error: row.error,
    createdDate: toInstant(row.created_at),
    sentDate: toInstantOrNull(row.sent_at),
  }
}
