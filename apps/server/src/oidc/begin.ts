import type { Provider } from './open-providers.ts'
import { toProviderError } from './provider-error.ts'

/** What has to be remembered of a sign-in while the person is at the provider. */
export interface Exchange {
  state: string
  nonce: string
  /** The secret of PKCE, of which the provider has the digest. */
  verifier: string
}

/**
 * Begins a sign-in by the authorization code flow with PKCE.
 *
 * @param redirectUri the address of this server that the person comes back to
 * @throws {ProviderError}
 */
export async function beginExchange(
  provider: Provider,
  redirectUri: string,
): Promise<{ url: string; exchange: Exchange }> {
  const configuration = await provider.connect()
  const client = await import('openid-client')
  const exchange = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  }
  try {
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: provider.scopes,
      state: exchange.state,
      nonce: exchange.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(exchange.verifier),
      code_challenge_method: 'S256',
    })
    return { url: url.href, exchange }
  } catch (error) {
    throw toProviderError(error)
  }
}
