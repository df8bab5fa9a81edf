import type { ServerAccount } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import { toInstant, toInstantOrNull } from '../http/instant.ts'
import { type AccountRecord, listAccountRecords, listAllMemberships, listProvidersOfAccounts } from './store.ts'

/** Lists the accounts of the server with their workspaces and providers, newest first. */
export async function listServerAccounts(db: Db): Promise<ServerAccount[]> {
  const workspacesOf = Map.groupBy(await listAllMemberships(db), (member) => member.account_id)
  const providersOf = Map.groupBy(await listProvidersOfAccounts(db), (identity) => identity.account_id)
  return (await listAccountRecords(db)).map((record) => ({
    ...toServerAccount(record),
    providers: (providersOf.get(record.id) ?? []).map(({ provider }) => provider),
    workspaces: (workspacesOf.get(record.id) ?? []).map(({ workspace_id: id, name, role }) => ({ id, name, role })),
  }))
}

function toServerAccount(record: AccountRecord): Omit<ServerAccount, 'workspaces' | 'providers'> {
  return {
    id: record.id,
    email: record.email,
    name: record.name,
    isServerAdmin: record.is_server_admin === 1,
    isVerified: record.verified_at !== null,
    hasTwoFactor: record.totp_enabled_at !== null,
    isDisabled: record.disabled_at !== null,
    createdDate: toInstant(record.created_at),
    lastUsedDate: toInstantOrNull(record.last_used_at),
  }
}
