import { tokenPattern } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { prepareQuery } from '../db/prepared.ts'
import type { Db } from '../db/open.ts'
import type { Caller } from '../http/caller.ts'
import { hashSecret } from './secret.ts'

/**
 * `last_used_at` is written at most once in this many milliseconds, so that authenticating a read does not cost a
 * write.
 */
const lastUseInterval = 60_000

const findByHash = prepareQuery((db, { hash }: { hash: string }) =>
  db
    .selectFrom('api_tokens')
    .select(['id', 'workspace_id', 'name', 'role', 'expires_at', 'last_used_at'])
    .where('token_hash', '=', hash),
)

async function findRow(db: Db, token: string) {
  const [row] = await findByHash(db, { hash: hashSecret(token) })
  return row
}

/**
 * Returns the caller that a token authenticates, or undefined when the token is unknown, revoked or expired. The memo
 * is cleared by every write, so a revoked token stops working at once.
 */
export async function findTokenCaller(
  { db, memo }: Pick<AppContext, 'db' | 'memo'>,
  token: string,
): Promise<Caller | undefined> {
  if (!tokenPattern.test(token)) return undefined
  const row = await memo.remember(`token ${token}`, () => findRow(db, token))
  const now = Date.now()
  if (!row || (row.expires_at !== null && row.expires_at <= now)) return undefined
  if (row.last_used_at === null || row.last_used_at < now - lastUseInterval) {
    await db.updateTable('api_tokens').set({ last_used_at: now }).where('id', '=', row.id).execute()
  }
  return { workspaceId: row.workspace_id, role: row.role, name: row.name, accountId: null }
}
