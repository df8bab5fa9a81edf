import { z } from 'zod'
import { fetchBounded } from './bounded-fetch.ts'
import { clockToleranceSeconds, type Provider } from './open-providers.ts'
import { ProviderError, toProviderError } from './provider-error.ts'

/** Whose sessions a provider wants to end: those of one session there, or all of a person. */
export interface Logout {
  issuer: string
  subject: string | null
  providerSession: string | null
  /** The name of the token, which must be used once. */
  tokenId: string
  /** Epoch milliseconds after which the token is refused anyway. */
  expiresAt: number
}

const event = 'http://schemas.openid.net/event/backchannel-logout'

const LogoutClaims = z
  .looseObject({
    iss: z.string(),
    sub: z.string().max(255).optional(),
    sid: z.string().max(255).optional(),
    jti: z.string().min(1).max(1000),
    iat: z.number(),
    exp: z.number(),
    events: z.looseObject({ [event]: z.looseObject({}) }),
    nonce: z.undefined().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined, 'names neither a person nor a session')

/** Signatures by a key pair. A shared secret or none signs no logout token. */
const algorithms = /^(RS|PS|ES)(256|384|512)$|^EdDSA$|^Ed25519$/

/**
 * Reads a logout token of OpenID Connect Back-Channel Logout 1.0, and checks all that can be checked without knowing
 * which tokens were used before. Keys are fetched for each token, as in a sign-in.
 *
 * @throws {ProviderError}
 */
export async function readLogoutToken(provider: Provider, token: string): Promise<Logout> {
  try {
    const metadata = (await provider.connect()).serverMetadata()
    const allowed = metadata.id_token_signing_alg_values_supported?.filter((name) => algorithms.test(name)) ?? []
    if (metadata.jwks_uri === undefined) throw new ProviderError('provider', 'the provider publishes no keys')
    const { createRemoteJWKSet, customFetch, jwtVerify } = await import('jose')
    const keys = createRemoteJWKSet(new URL(metadata.jwks_uri), { [customFetch]: fetchBounded })
    const { payload } = await jwtVerify(token, keys, {
      issuer: metadata.issuer,
      audience: provider.clientId,
      algorithms: allowed.length > 0 ? allowed : ['RS256'],
      clockTolerance: clockToleranceSeconds,
    })
    const { iss, sub, sid, jti, exp } = LogoutClaims.parse(payload)
    return {
      issuer: iss,
      subject: sub ?? null,
      providerSession: sid ?? null,
      tokenId: jti,
      expiresAt: (exp + clockToleranceSeconds) * 1000,
    }
  } catch (error) {
    throw toProviderError(error)
  }
}
