import { tokenPattern } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { toTopic } from '../db/changes.ts'
import type { Caller } from '../http/caller.ts'
import { ignoreOutOfSpace } from '../db/out-of-space.ts'
import { hashSecret } from '../secrets/hash-secret.ts'
import { findApiTokenByHash, updateLastUse } from './store.ts'

/**
 * `last_used_at` is written at most once in this many milliseconds, so that authenticating a read does not cost a
 * write.
 */
const lastUseInterval = 60_000

/**
 * Returns the caller that a token authenticates, or undefined when the token is unknown, revoked or expired. The memo
 * forgets a token when its row changes, so a revoked token stops working at once.
 */
export async function findTokenCaller(
  { db, memo }: Pick<AppContext, 'db' | 'memo'>,
  token: string,
): Promise<Caller | undefined> {
  if (!tokenPattern.test(token)) return undefined
  const row = await memo.remember(`token ${token}`, () => findApiTokenByHash(db, hashSecret(token)), {
    topics: ({ id }) => [toTopic('token', id)],
  })
  const now = Date.now()
  if (!row || (row.expires_at !== null && row.expires_at <= now)) return undefined
  let lastUsedAt = row.last_used_at
  if (lastUsedAt === null || lastUsedAt < now - lastUseInterval) {
    lastUsedAt = now
    // A full disk must not lock out those who would delete something.
    await updateLastUse(db, row.id, now).catch(ignoreOutOfSpace)
  }
  return {
    workspaceId: row.workspace_id,
    role: row.role,
    name: row.name,
    accountId: null,
    apiTokenId: row.id,
    knownUntil: Math.min(row.expires_at ?? Infinity, lastUsedAt + lastUseInterval),
  }
}
