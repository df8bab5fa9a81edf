import type { Role } from '@fairlead/contract'
import type { AccountRow } from '../accounts/account.ts'
import { changeEmail } from '../accounts/change-email.ts'
import { findAccount } from '../accounts/find.ts'
import type { Db } from '../db/open.ts'
import { acceptInvitationsTo } from '../invitations/accept-all.ts'
import { applyGroupRoles, type RoleChange } from '../members/apply-group-roles.ts'
import { closeIfWithoutWorkspace } from '../members/update.ts'
import type { Provider } from '../oidc/open-providers.ts'
import type { Person } from '../oidc/person.ts'
import { isOfDomain } from './is-of-domain.ts'
import { Refusal } from './refusal.ts'
import { type IdentityRow, touchIdentity } from './store.ts'

/** Somebody who has been identified, and what their sign-in changed. */
export interface Entry {
  account: AccountRow
  identity: IdentityRow
  /** Whether the account was made, or the identity linked to it, just now. */
  news: 'created' | 'linked' | null
  /** What groups changed. */
  changes: RoleChange[]
  /** The workspaces whose invitations were accepted. */
  joined: { workspaceId: number; role: Role }[]
  /** Whether the provider's new e-mail address was taken over. */
  hasNewEmail: boolean
}

/**
 * Brings the account of an identity up to date with what the provider says: address, invitations, roles of groups.
 *
 * @throws {Refusal} disabled
 */
export async function enter(
  trx: Db,
  provider: Provider,
  person: Person,
  { identity, news }: Pick<Entry, 'identity' | 'news'>,
): Promise<Entry> {
  const found = await findAccount({ db: trx }, identity.account_id)
  if (!found || found.disabled_at !== null) throw new Refusal('disabled')
  const { account, hasNewEmail } = await followEmail(trx, found, identity, person)
  await touchIdentity(trx, identity.id, person.email ?? identity.email)
  const { email } = person
  const isInvited = email !== null && person.emailIsVerified && isOfDomain(provider, email)
  const joined = isInvited ? await acceptInvitationsTo(trx, email, account.id) : []
  // A provider that does not say which groups there are takes no role away.
  const changes = person.groups === null ? [] : await applyGroupRoles(trx, account.id, provider.key, person.groups)
  await closeIfWithoutWorkspace(trx, account.id)
  return { account, identity, news, changes, joined, hasNewEmail }
}

/** An address that changes at the provider changes here too, if it is verified and no other account has it. */
async function followEmail(
  trx: Db,
  account: AccountRow,
  { email: before }: IdentityRow,
  { email, emailIsVerified }: Person,
): Promise<{ account: AccountRow; hasNewEmail: boolean }> {
  const isNew = email !== null && before !== null && email.toLowerCase() !== before.toLowerCase()
  if (!isNew || !emailIsVerified) return { account, hasNewEmail: false }
  const hasNewEmail = await changeEmail(trx, account.id, email)
  return { account: hasNewEmail ? { ...account, email } : account, hasNewEmail }
}
