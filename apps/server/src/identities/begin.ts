import { ApiError } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../context.ts'
import { beginExchange } from '../oidc/begin.ts'
import type { Provider } from '../oidc/open-providers.ts'
import { toCallbackUrl } from '../links/sign-in-url.ts'
import { keepAttempt } from './cookies.ts'
import { toReturnPath } from './return-path.ts'

type Context = Pick<AppContext, 'config' | 'signingKey' | 'providers'>

/** @throws {ApiError} providerNotFound */
export function requireProvider({ providers }: Pick<AppContext, 'providers'>, key: string): Provider {
  const provider = providers.get(key)
  if (!provider) throw new ApiError('providerNotFound')
  return provider
}

/**
 * Begins a sign-in, or the link of an identity to the signed-in account, and returns the page of the provider that the
 * browser goes to.
 *
 * @throws {ProviderError}
 */
export async function beginAttempt(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { provider, returnTo, accountId }: { provider: Provider; returnTo: unknown; accountId: number | null },
): Promise<string> {
  const { url, exchange } = await beginExchange(provider, toCallbackUrl(context.config, provider.key))
  keepAttempt(context, request, reply, {
    provider: provider.key,
    ...exchange,
    returnTo: toReturnPath(returnTo),
    startedAt: Date.now(),
    accountId,
  })
  return url
}
