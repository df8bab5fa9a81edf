import { tokenPattern } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { prepareQuery } from '../db/prepared.ts'
import type { Db } from '../db/open.ts'
import type { Caller } from '../http/caller.ts'
import { hashSecret } from '../secrets/hash-secret.ts'

/** The last use is written at most this often, so that reading does not become writing. */
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

/** The caller a token stands for; undefined when it is unknown, revoked or expired. Looked up each time, so that revoking works at once. */
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
