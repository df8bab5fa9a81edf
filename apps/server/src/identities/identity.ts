import type { Identity } from '@fairlead/contract'
import { toInstant } from '../http/instant.ts'
import type { Providers } from '../oidc/open-providers.ts'
import type { IdentityRow } from './store.ts'

export function toIdentity(providers: Providers, row: IdentityRow): Identity {
  return {
    id: row.id,
    provider: row.provider,
    providerName: providers.get(row.provider)?.name ?? row.provider,
    email: row.email,
    createdDate: toInstant(row.created_at),
    lastUsedDate: toInstant(row.last_used_at),
  }
}
