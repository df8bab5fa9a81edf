import type { Db } from '../db/open.ts'
import type { Provider } from '../oidc/open-providers.ts'
import type { Person } from '../oidc/person.ts'
import { type Entry, enter } from './enter.ts'
import { Refusal } from './refusal.ts'
import { findIdentity, insertIdentity } from './store.ts'

/**
 * Links an identity to the account that is signed in, which proves that both are the same person's.
 *
 * @throws {Refusal} noAccess when the identity belongs to another account
 */
export async function linkSignedIn(trx: Db, provider: Provider, person: Person, accountId: number): Promise<Entry> {
  const key = { provider: provider.key, issuer: person.issuer, subject: person.subject }
  const found = await findIdentity(trx, key)
  if (found && found.account_id !== accountId) {
    throw new Refusal('noAccess', `This person of ${provider.name} signs in to another account here.`)
  }
  if (found) return enter(trx, provider, person, { identity: found, news: null })
  const identity = await insertIdentity(trx, accountId, key, person.email)
  return enter(trx, provider, person, { identity, news: 'linked' })
}
