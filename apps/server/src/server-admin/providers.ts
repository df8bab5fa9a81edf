import type { ServerProvider } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { toInstantOrNull } from '../http/instant.ts'
import { toAfterSignOutUrl, toBackChannelUrl, toCallbackUrl } from '../links/sign-in-url.ts'
import type { Provider } from '../oidc/open-providers.ts'
import { listProviderUses } from './store.ts'

/** Lists the providers of the server, and asks each whether it answers. */
export async function listServerProviders({
  db,
  config,
  providers,
}: Pick<AppContext, 'db' | 'config' | 'providers'>): Promise<ServerProvider[]> {
  const uses = new Map((await listProviderUses(db)).map((use) => [use.provider, use]))
  return Promise.all(
    [...providers.values()].map(async (provider) => {
      const { key, name, issuer, domains, createAccounts, linkByEmail } = provider
      const error = await findFault(provider)
      return {
        key,
        name,
        issuer,
        domains,
        createAccounts,
        linkByEmail,
        callbackUrl: toCallbackUrl(config, key),
        afterSignOutUrl: toAfterSignOutUrl(config),
        backChannelLogoutUrl: toBackChannelUrl(config, key),
        isReachable: error === null,
        error,
        identityCount: uses.get(key)?.identity_count ?? 0,
        lastSignInDate: toInstantOrNull(uses.get(key)?.last_used_at ?? null),
      }
    }),
  )
}

async function findFault(provider: Provider): Promise<string | null> {
  try {
    await provider.discover()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : 'The provider does not answer'
  }
}
