import { randomBytes } from 'node:crypto'
import { ApiError, type CreateApiToken, type CreatedApiToken } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { toApiToken } from './api-token.ts'
import { insertApiToken } from './store.ts'
import { hashSecret } from '../secrets/hash-secret.ts'

interface NewToken {
  createdBy?: string | null
  /** The account that creates it, so that its tokens can be found when the person leaves. */
  accountId?: number | null
  token?: string
  /** Whether it is the token of a person's login, which ends with the person's right. */
  isLogin?: boolean
}

/** Creates an API token. Its secret appears in this answer only, because the database keeps no more than its hash. */
export async function createApiToken(
  { db }: Pick<AppContext, 'db'>,
  workspaceId: number,
  { name, role, expirationDate }: CreateApiToken,
  { createdBy = null, accountId = null, token = createTokenSecret(), isLogin = false }: NewToken = {},
): Promise<CreatedApiToken> {
  const expiresAt = expirationDate ? Date.parse(expirationDate) : null
  if (expiresAt !== null && expiresAt <= Date.now()) {
    throw new ApiError('invalidRequest', { faults: [{ source: '/expirationDate', detail: 'is in the past' }] })
  }
  const row = await insertApiToken(db, {
    workspace_id: workspaceId,
    name,
    role,
    token_hash: hashSecret(token),
    created_by: createdBy,
    account_id: accountId,
    is_login: isLogin ? 1 : 0,
    created_at: Date.now(),
    expires_at: expiresAt,
  })
  return { ...toApiToken(row), token }
}

/** Creates a token: the prefix lets secret scanners recognize it, and 256 random bits make it unguessable. */
function createTokenSecret(): string {
  return `fl_${randomBytes(32).toString('base64url')}`
}
