import { sql } from 'kysely'
import type { Db } from '../db/open.ts'

/** Selects the waiting mails of a workspace that no job will send. */
function selectHeld(db: Db, workspaceId: number) {
  return db
    .selectFrom('mails')
    .select('mails.id')
    .where('mails.workspace_id', '=', workspaceId)
    .where('mails.status', '=', 'waiting')
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('jobs')
            .select('jobs.id')
            .where('jobs.key', '=', sql<string>`'mail:' || cast(mails.id as text)`),
        ),
      ),
    )
}

export async function listHeldMails(db: Db, workspaceId: number): Promise<number[]> {
  const rows = await selectHeld(db, workspaceId).orderBy('mails.id').execute()
  return rows.map(({ id }) => id)
}

/** Deletes the held mails and returns how many they were. */
export async function deleteHeldMails(db: Db, workspaceId: number): Promise<number> {
  const rows = await db
    .deleteFrom('mails')
    .where('mails.id', 'in', selectHeld(db, workspaceId))
    .returning('mails.id')
    .execute()
  return rows.length
}
