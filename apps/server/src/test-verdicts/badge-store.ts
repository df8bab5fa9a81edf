import type { Db } from '../db/open.ts'

export async function readBadgeSecret(db: Db, applicationId: number): Promise<string | null> {
  const row = await db
    .selectFrom('applications')
    .select('badge_secret')
    .where('id', '=', applicationId)
    .executeTakeFirstOrThrow()
  return row.badge_secret
}

/** Sets the secret of an application's badge unless it has one. */
export async function addBadgeSecret(db: Db, applicationId: number, secret: string): Promise<void> {
  await db
    .updateTable('applications')
    .set({ badge_secret: secret })
    .where('id', '=', applicationId)
    .where('badge_secret', 'is', null)
    .execute()
}

export async function removeBadgeSecret(db: Db, applicationId: number): Promise<void> {
  await db.updateTable('applications').set({ badge_secret: null }).where('id', '=', applicationId).execute()
}

/** Finds an application in any workspace, because whoever has the secret may see the badge. */
export async function findApplicationOfBadge(
  db: Db,
  secret: string,
): Promise<{ id: number; default_branch: string } | undefined> {
  return db
    .selectFrom('applications')
    .select(['id', 'default_branch'])
    .where('badge_secret', '=', secret)
    .executeTakeFirst()
}
