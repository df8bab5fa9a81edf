import type { Insertable } from 'kysely'
import type { Db } from '../db/open.ts'
import { prepareQuery } from '../db/prepared.ts'
import type { Row, Schema } from '../db/schema.ts'

export async function listApiTokens(db: Db, workspaceId: number): Promise<Row<'api_tokens'>[]> {
  return db.selectFrom('api_tokens').selectAll().where('workspace_id', '=', workspaceId).orderBy('id', 'desc').execute()
}

/** Returns whether the token existed. */
export async function deleteApiToken(db: Db, workspaceId: number, id: number): Promise<boolean> {
  const deleted = await db
    .deleteFrom('api_tokens')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

export async function findApiTokenRow(db: Db, id: number): Promise<Row<'api_tokens'> | undefined> {
  return db.selectFrom('api_tokens').selectAll().where('id', '=', id).executeTakeFirst()
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

export async function listTokensOf(
  db: Db,
  accountId: number,
): Promise<(Row<'api_tokens'> & { workspace_name: string })[]> {
  return db
    .selectFrom('api_tokens')
    .innerJoin('workspaces', 'workspaces.id', 'api_tokens.workspace_id')
    .selectAll('api_tokens')
    .select('workspaces.name as workspace_name')
    .where('api_tokens.account_id', '=', accountId)
    .orderBy('api_tokens.id', 'desc')
    .execute()
}

export async function deleteTokensOf(
  trx: Db,
  accountId: number,
): Promise<{ id: number; name: string; workspace_id: number }[]> {
  return trx
    .deleteFrom('api_tokens')
    .where('account_id', '=', accountId)
    .returning(['id', 'name', 'workspace_id'])
    .execute()
}
