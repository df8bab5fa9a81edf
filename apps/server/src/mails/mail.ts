import { ApiError, type Mail } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { toInstant, toInstantOrNull } from '../http/instant.ts'
import { findMail } from './store.ts'

export type MailRow = Row<'mails'>

/** @throws {ApiError} mailNotFound */
export async function requireMail(db: Db, workspaceId: number, id: number): Promise<MailRow> {
  const mail = await findMail(db, workspaceId, id)
  if (!mail) throw new ApiError('mailNotFound')
  return mail
}

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
