import type { Configuration } from 'openid-client'
import type { Exchange } from './begin.ts'
import { type Claims, readPerson, type Person } from './person.ts'
import type { ClientMethod, Provider } from './open-providers.ts'
import { ProviderError, toProviderError } from './provider-error.ts'

/** What a finished sign-in tells. */
export interface Finished {
  person: Person
  /** The session at the provider, if it names one. */
  providerSession: string | null
  /** Where a browser signs out of the provider, if it has such a page. */
  logoutUrl: string | null
}

/**
 * Redeems the code with which a person came back, and checks everything that the provider says.
 *
 * @param url the address at which the person came back, with its query
 * @throws {ProviderError}
 */
export async function finishExchange(
  provider: Provider,
  url: URL,
  { state, nonce, verifier }: Exchange,
  afterSignOutUrl: string,
): Promise<Finished> {
  const client = await import('openid-client')
  const redeem = async (method: ClientMethod) => {
    const configuration = await provider.connect(method)
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
    return { configuration, tokens: await client.authorizationCodeGrant(configuration, url, checks) }
  }
  try {
    // Which way a client authenticates is set at the provider. One that wants the other way does not read the code.
    const { configuration, tokens } = await redeem('basic').catch((error: unknown) => {
      if (error instanceof client.ResponseBodyError && error.error === 'invalid_client') return redeem('post')
      throw error
    })
    const claims = tokens.claims()
    if (!claims) throw new ProviderError('provider', 'the provider sent no ID token')
    const all = await addMissingClaims(configuration, provider, claims, tokens.access_token)
    const { sid } = claims
    return {
      person: readPerson(provider, all),
      providerSession: typeof sid === 'string' && sid.length <= 255 ? sid : null,
      logoutUrl: hasLogoutPage(configuration)
        ? // The client is named instead of an ID token, so that none has to be kept.
          client.buildEndSessionUrl(configuration, { post_logout_redirect_uri: afterSignOutUrl }).href
        : null,
    }
  } catch (error) {
    throw toProviderError(error)
  }
}

/**
 * Many providers put the address and the groups only where the access token leads (userinfo). The library refuses
 * claims of another person. What the signed ID token says counts more.
 */
async function addMissingClaims(
  configuration: Configuration,
  { groupsClaim }: Provider,
  claims: Claims & { sub: string },
  accessToken: string,
): Promise<Claims> {
  const isMissing = ['email', 'email_verified', 'name', groupsClaim].some((name) => claims[name] === undefined)
  if (!isMissing || configuration.serverMetadata().userinfo_endpoint === undefined) return claims
  const { fetchUserInfo } = await import('openid-client')
  const told: Claims = await fetchUserInfo(configuration, accessToken, claims.sub)
  return { ...told, ...claims }
}

function hasLogoutPage(configuration: Configuration): boolean {
  const endpoint = configuration.serverMetadata().end_session_endpoint
  return endpoint !== undefined && /^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')
}
