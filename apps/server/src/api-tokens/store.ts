import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'

export async function listApiTokens(db: Db, workspaceId: number): Promise<Row<'api_tokens'>[]> {
  return db.selectFrom('api_tokens').selectAll().where('workspace_id', '=', workspaceId).orderBy('id', 'desc').execute()
}

/** Returns whether the token existed. */
export async function revokeApiToken(db: Db, workspaceId: number, id: number): Promise<boolean> {
  const deleted = await db
    .deleteFrom('api_tokens')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}
