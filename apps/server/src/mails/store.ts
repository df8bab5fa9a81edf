import { ApiError } from '@fairlead/contract'
import type { Insertable, Updateable } from 'kysely'
import { toEmailKey } from '../db/email-key.ts'
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import type { Row, Schema } from '../db/schema.ts'
import type { MailRow } from './mail.ts'

/** Adds the release notes of mails. Mails of one distribution share them, in memory as well. */
async function addNotes(db: Db, mails: Row<'mails'>[]): Promise<MailRow[]> {
  const ids = new Set(mails.flatMap(({ notes_id }) => (notes_id === null ? [] : [notes_id])))
  const notes = await selectInBatches([...ids], (batch) =>
    db.selectFrom('mail_notes').selectAll().where('id', 'in', batch).execute(),
  )
  const notesOf = new Map(notes.map((one) => [one.id, one]))
  return mails.map((mail) => ({ ...mail, notes: notesOf.get(mail.notes_id ?? 0) ?? null }))
}

/** @throws {ApiError} mailNotFound */
export async function requireMail(db: Db, workspaceId: number, id: number): Promise<MailRow> {
  const rows = await db
    .selectFrom('mails')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
  const [mail] = await addNotes(db, rows)
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
  return addNotes(db, await query.execute())
}

export async function countMails(db: Db, workspaceId: number): Promise<number> {
  const { count } = await db
    .selectFrom('mails')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return count
}

export async function countMailsSince(db: Db, workspaceId: number, after: number): Promise<number> {
  const { count } = await db
    .selectFrom('mails')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('created_at', '>', after)
    .executeTakeFirstOrThrow()
  return count
}

/** Inserts release notes and returns their id. */
export async function insertNotes(trx: Db, values: Insertable<Schema['mail_notes']>): Promise<number> {
  const { id } = await trx.insertInto('mail_notes').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Inserts mails and returns their ids. */
export async function insertMails(trx: Db, values: Insertable<Schema['mails']>[]): Promise<number[]> {
  const rows = await trx.insertInto('mails').values(values).returning('id').execute()
  return rows.map(({ id }) => id)
}

/** Finds a mail in any workspace, for the job that sends it. */
export async function findMail(db: Db, id: number): Promise<MailRow | undefined> {
  const rows = await db.selectFrom('mails').selectAll().where('id', '=', id).execute()
  const [mail] = await addNotes(db, rows)
  return mail
}

/** Tells whether the recipient of a mail to a tester has unsubscribed since the mail was written. */
export async function isUnwanted(
  db: Db,
  { workspace_id, recipient, unsubscribe_url }: Pick<Row<'mails'>, 'workspace_id' | 'recipient' | 'unsubscribe_url'>,
): Promise<boolean> {
  if (unsubscribe_url === null || workspace_id === null) return false
  const found = await db
    .selectFrom('unsubscribes')
    .select('email_key')
    .where('workspace_id', '=', workspace_id)
    .where('email_key', '=', toEmailKey(recipient))
    .executeTakeFirst()
  return found !== undefined
}

/** Lists the ids of mails that wait to be sent and were created after the given time. */
export async function listWaitingMails(trx: Db, after: number): Promise<number[]> {
  const rows = await trx
    .selectFrom('mails')
    .select('id')
    .where('status', '=', 'waiting')
    .where('created_at', '>', after)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Updates the state of a mail, unless it was sent already. */
export async function updateMail(
  db: Db,
  id: number,
  values: Pick<Updateable<Schema['mails']>, 'status' | 'error' | 'sent_at' | 'secret'>,
): Promise<void> {
  await db.updateTable('mails').set(values).where('id', '=', id).where('status', '!=', 'sent').execute()
}

export async function deleteMail(db: Db, id: number): Promise<void> {
  await db.deleteFrom('mails').where('id', '=', id).execute()
}

/** Finds the icon of a build, and the secret in the icon's address. */
export async function findBuildIcon(
  db: Db,
  buildId: number,
): Promise<{ key: string; size: number; icon_type: string | null; secret: string } | undefined> {
  return db
    .selectFrom('builds')
    .innerJoin('blobs', 'blobs.id', 'builds.icon_blob_id')
    .select(['blobs.key', 'blobs.size', 'builds.icon_type', 'builds.secret'])
    .where('builds.id', '=', buildId)
    .executeTakeFirst()
}
