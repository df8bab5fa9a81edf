import type { Insertable } from 'kysely'
import type { Db } from '../db/open.ts'
import { prepareQuery } from '../db/prepared.ts'
import type { Row, Schema } from '../db/schema.ts'

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

export async function insertApiToken(db: Db, values: Insertable<Schema['api_tokens']>): Promise<Row<'api_tokens'>> {
  return db.insertInto('api_tokens').values(values).returningAll().executeTakeFirstOrThrow()
}

const selectByHash = prepareQuery((db, { hash }: { hash: string }) =>
  db
    .selectFrom('api_tokens')
    .select(['id', 'workspace_id', 'name', 'role', 'expires_at', 'last_used_at'])
    .where('token_hash', '=', hash),
)

export async function findApiTokenByHash(db: Db, hash: string) {
  const [row] = await selectByHash(db, { hash })
  return row
}

export async function updateLastUse(db: Db, id: number, lastUsedAt: number): Promise<void> {
  await db.updateTable('api_tokens').set({ last_used_at: lastUsedAt }).where('id', '=', id).execute()
}
