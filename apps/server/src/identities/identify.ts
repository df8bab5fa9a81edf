import type { AccountRow } from '../accounts/account.ts'
import { createAccount } from '../accounts/create.ts'
import { findAccountByEmail } from '../accounts/find.ts'
import type { Db } from '../db/open.ts'
import { hasInvitation } from '../invitations/accept-all.ts'
import { findGroupRoles } from '../members/apply-group-roles.ts'
import type { Provider } from '../oidc/open-providers.ts'
import type { Person } from '../oidc/person.ts'
import { type Entry, enter } from './enter.ts'
import { claimUnverified } from './claim-unverified.ts'
import { isOfDomain } from './is-of-domain.ts'
import { Refusal } from './refusal.ts'
import { findIdentity, insertIdentity } from './store.ts'

/** Who a person is here: somebody who may enter, or perhaps the owner of an account, who has to prove it. */
export type Outcome = { kind: 'entered'; entry: Entry } | { kind: 'unproven'; account: AccountRow; email: string }

/**
 * Finds the account of a person by issuer and subject, or makes one if the provider's word is enough for that. An equal
 * e-mail address alone never leads into an account.
 *
 * @throws {Refusal}
 */
export async function identifyPerson(trx: Db, provider: Provider, person: Person): Promise<Outcome> {
  const identity = await findIdentity(trx, { provider: provider.key, ...person })
  if (identity) return { kind: 'entered', entry: await enter(trx, provider, person, { identity, news: null }) }
  if (person.email === null || !person.emailIsVerified) throw new Refusal('emailUnverified')
  const { email } = person
  const account = await findAccountByEmail({ db: trx }, email)
  if (account && account.disabled_at !== null) throw new Refusal('disabled')
  if (!account) {
    await requireNewcomer(trx, provider, person, email)
    const created = await createAccountOf(trx, person, email)
    return { kind: 'entered', entry: await enterAs(trx, provider, person, created, 'created') }
  }
  // An administrator of the server has too much to lose for the word of a directory.
  const isTrusted = provider.linkByEmail && isOfDomain(provider, email) && account.is_server_admin === 0
  if (!isTrusted) return { kind: 'unproven', account, email }
  if (account.verified_at === null) await claimUnverified(trx, account)
  return { kind: 'entered', entry: await enterAs(trx, provider, person, account, 'linked') }
}

async function requireNewcomer(trx: Db, provider: Provider, { groups }: Person, email: string): Promise<void> {
  if (!isOfDomain(provider, email)) throw new Refusal('domain')
  if (!provider.createAccounts) throw new Refusal('noAccess')
  if (await hasInvitation(trx, email)) return
  if (groups === null) throw new Refusal('noGroups')
  if ((await findGroupRoles(trx, provider.key, groups)).size === 0) throw new Refusal('noAccess')
}

function createAccountOf(trx: Db, { name }: Person, email: string): Promise<AccountRow> {
  const shownName = name ?? email.slice(0, email.lastIndexOf('@'))
  return createAccount(trx, { email, name: shownName, passwordHash: '', isVerified: true })
}

async function enterAs(
  trx: Db,
  provider: Provider,
  person: Person,
  account: AccountRow,
  news: 'created' | 'linked',
): Promise<Entry> {
  const identity = await insertIdentity(trx, account.id, { provider: provider.key, ...person }, person.email)
  return enter(trx, provider, person, { identity, news })
}
