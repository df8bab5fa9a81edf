import type { ApiToken } from '@fairlead/contract'
import type { Row } from '../db/schema.ts'
import { toInstant, toInstantOrNull } from '../http/instant.ts'

export function toApiToken(row: Row<'api_tokens'>): ApiToken {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    createdBy: row.created_by,
    createdByAccountId: row.account_id,
    createdDate: toInstant(row.created_at),
    expirationDate: toInstantOrNull(row.expires_at),
    lastUsedDate: toInstantOrNull(row.last_used_at),
  }
}
