import { ApiError, type CreateApiToken, type CreatedApiToken } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { toApiToken } from './api-token.ts'
import { createTokenSecret, hashSecret } from './secret.ts'

/** Creates an API token. Its secret appears in this answer only, because the database keeps no more than its hash. */
export async function createApiToken(
  { db }: Pick<AppContext, 'db'>,
  workspaceId: number,
  { name, role, expirationDate }: CreateApiToken,
): Promise<CreatedApiToken> {
  const expiresAt = expirationDate ? Date.parse(expirationDate) : null
  if (expiresAt !== null && expiresAt <= Date.now()) {
    throw new ApiError('invalidRequest', { faults: [{ source: '/expirationDate', detail: 'is in the past' }] })
  }
  const token = createTokenSecret()
  const row = await db
    .insertInto('api_tokens')
    .values({
      workspace_id: workspaceId,
      name,
      role,
      token_hash: hashSecret(token),
      created_at: Date.now(),
      expires_at: expiresAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...toApiToken(row), token }
}
