import { ApiError } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import type { MailRow } from './mail.ts'

/** @throws {ApiError} mailNotFound */
export async function requireMail(db: Db, workspaceId: number, id: number): Promise<MailRow> {
  const mail = await db
    .selectFrom('mails')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!mail) throw new ApiError('mailNotFound')
  return mail
}

/** Returns one slice of the outbox, newest first. */
export async function listMailRows(
  db: Db,
  workspaceId: number,
  slice: { below: number | undefined; limit: number },
): Promise<MailRow[]> {
  let query = db
    .selectFrom('mails')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('id', 'desc')
    .limit(slice.limit)
  if (slice.below !== undefined) query = query.where('id', '<', slice.below)
  return query.execute()
}

export async function countMails(db: Db, workspaceId: number): Promise<number> {
  const { count } = await db
    .selectFrom('mails')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return count
}
