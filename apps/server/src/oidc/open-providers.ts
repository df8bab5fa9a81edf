import type { Configuration, ServerMetadata } from 'openid-client'
import type { OidcProvider } from '../settings/oidc-providers.ts'
import { fetchBounded } from './bounded-fetch.ts'
import { toProviderError } from './provider-error.ts'

/** A provider of the settings with its configuration, which is read when somebody first needs it. */
export interface Provider extends OidcProvider {
  /**
   * Returns the client of the library for one exchange. Its keys are fetched anew, so that a provider may change them
   * at any time.
   *
   * @param method how the server proves to the provider that it is the client
   * @throws {ProviderError}
   */
  connect(method?: ClientMethod): Promise<Configuration>
  /** Reads the configuration of the provider now, whether or not it is known. */
  discover(): Promise<ServerMetadata>
}

/** HTTP Basic, which the specification sets as the default, or fields of the form. */
export type ClientMethod = 'basic' | 'post'

/** The providers of the server by their keys. */
export type Providers = ReadonlyMap<string, Provider>

/** How long a configuration is used, in milliseconds. */
const cachedMs = 60 * 60 * 1000
const timeoutSeconds = 10
/** How far the clocks of the provider and of this machine may differ, in seconds. */
export const clockToleranceSeconds = 60

export function openProviders(settings: readonly OidcProvider[]): Providers {
  return new Map(settings.map((one) => [one.key, openProvider(one)]))
}

function openProvider(settings: OidcProvider): Provider {
  let known: { metadata: ServerMetadata; until: number } | undefined
  let pending: Promise<ServerMetadata> | undefined

  const discover = async () => {
    // Those who come while the configuration is being read share the request.
    pending ??= readMetadata(settings).finally(() => {
      pending = undefined
    })
    const metadata = await pending
    known = { metadata, until: Date.now() + cachedMs }
    return metadata
  }

  return {
    ...settings,
    discover,
    async connect(method = 'basic') {
      const metadata = known && known.until > Date.now() ? known.metadata : await discover()
      return createConfiguration(settings, metadata, method)
    },
  }
}

/** The library is loaded with the first sign-in, because most servers have no provider. */
async function readMetadata({ issuer, clientId, clientSecret }: OidcProvider): Promise<ServerMetadata> {
  const client = await import('openid-client')
  try {
    const configuration = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      [client.customFetch]: fetchBounded,
      timeout: timeoutSeconds,
      execute: isPlain(issuer) ? [client.allowInsecureRequests] : [],
    })
    // Its methods are those of the library, and a copy has only what the provider said.
    return { ...configuration.serverMetadata() }
  } catch (error) {
    throw toProviderError(error)
  }
}

async function createConfiguration(
  { issuer, clientId, clientSecret }: OidcProvider,
  metadata: ServerMetadata,
  method: ClientMethod,
): Promise<Configuration> {
  const client = await import('openid-client')
  const values = { client_secret: clientSecret, [client.clockTolerance]: clockToleranceSeconds }
  const authenticate = method === 'basic' ? client.ClientSecretBasic : client.ClientSecretPost
  const configuration = new client.Configuration(metadata, clientId, values, authenticate(clientSecret))
  configuration[client.customFetch] = fetchBounded
  configuration.timeout = timeoutSeconds
  // Without this, the library trusts the connection and does not check the signature of ID tokens.
  client.enableNonRepudiationChecks(configuration)
  if (isPlain(issuer)) client.allowInsecureRequests(configuration)
  return configuration
}

function isPlain(issuer: string): boolean {
  return new URL(issuer).protocol === 'http:'
}
