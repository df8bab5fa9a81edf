import type { Db } from '../db/open.ts'
import type { Subscription } from '../tester-links/unsubscribe-link.ts'

/** Reads the name of the workspace and whether the address takes mails; undefined when the workspace is gone. */
export async function findSubscription(
  db: Db,
  { workspaceId, emailKey }: Subscription,
): Promise<{ workspace_name: string; unsubscribed_at: number | null } | undefined> {
  return db
    .selectFrom('workspaces')
    .leftJoin('unsubscribes', (join) =>
      join.onRef('unsubscribes.workspace_id', '=', 'workspaces.id').on('unsubscribes.email_key', '=', emailKey),
    )
    .select(['workspaces.name as workspace_name', 'unsubscribes.created_at as unsubscribed_at'])
    .where('workspaces.id', '=', workspaceId)
    .executeTakeFirst()
}

/** Returns whether the address took mails before. */
export async function insertUnsubscribe(db: Db, { workspaceId, emailKey }: Subscription): Promise<boolean> {
  const inserted = await db
    .insertInto('unsubscribes')
    .values({ workspace_id: workspaceId, email_key: emailKey, created_at: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .returning('email_key')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Returns whether the address took no mails before. */
export async function deleteUnsubscribe(db: Db, { workspaceId, emailKey }: Subscription): Promise<boolean> {
  const deleted = await db
    .deleteFrom('unsubscribes')
    .where('workspace_id', '=', workspaceId)
    .where('email_key', '=', emailKey)
    .returning('email_key')
    .executeTakeFirst()
  return deleted !== undefined
}
