import { ApiError } from '@fairlead/contract'
import { recordOnAccount } from '../audit/record.ts'
import type { AppContext } from '../context.ts'
import { readLogoutToken } from '../oidc/logout-token.ts'
import type { Provider } from '../oidc/open-providers.ts'
import { ProviderError } from '../oidc/provider-error.ts'
import { toNetwork } from '../passwords/network.ts'
import { hashSecret } from '../secrets/hash-secret.ts'
import { endSessionsOfProvider } from '../sessions/end-of-provider.ts'
import { insertUsedToken } from './store.ts'

/**
 * Ends the sessions that a provider names in a logout token. The provider calls this itself, so there is no cookie.
 *
 * @throws {ApiError} invalidLogoutToken; tooManyRequests after many tokens that were refused
 */
export async function endByProvider(
  context: Pick<AppContext, 'db' | 'log' | 'guard'>,
  provider: Provider,
  token: string,
  { address, target }: { address: string; target: string },
): Promise<void> {
  const { db, log, guard } = context
  const network = toNetwork(address)
  // Counted before the check, so that nobody can have the keys of the provider fetched again and again.
  await guard.logoutsByAddress.check(network)
  const logout = await readLogoutToken(provider, token).catch((error: unknown) => {
    if (!(error instanceof ProviderError)) throw error
    log.warn({ provider: provider.key, reason: error.message }, 'a logout token was refused')
    throw new ApiError('invalidLogoutToken', { cause: error })
  })
  const digest = hashSecret(`logout ${provider.key} ${logout.tokenId}`)
  if (!(await insertUsedToken(db, digest, logout.expiresAt))) {
    throw new ApiError('invalidLogoutToken', { detail: 'The logout token was used before' })
  }
  await guard.logoutsByAddress.takeBack(network)
  for (const accountId of await endSessionsOfProvider(db, provider.key, logout)) {
    const details = { provider: provider.key }
    await recordOnAccount(context, null, accountId, { action: 'session.end', address, target, details })
  }
}
