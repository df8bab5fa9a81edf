import { randomBytes } from 'node:crypto'
import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { seal, unseal } from '../secrets/sealed.ts'

type Context = Pick<AppContext, 'config' | 'signingKey'>

/** How long a person may take at the provider, and to prove an account, in milliseconds. */
export const attemptLifetime = 10 * 60_000
/** Sign-ins that are under way in one browser at once. Cookies of more would fill the head of every request. */
const attemptLimit = 5

/** A sign-in under way, which only the browser that began it can finish. */
const Attempt = z.object({
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  startedAt: z.number(),
  /** The signed-in account that the identity is to be linked to; null for a sign-in. */
  accountId: z.number().nullable(),
})
export type Attempt = z.infer<typeof Attempt>

/** Over HTTPS the cookies have the prefix by which browsers take them from their own host only. */
function toName(config: Context['config'], name: string): string {
  return config.baseUrl.startsWith('https:') ? `__Host-${name}` : name
}

function toOptions({ baseUrl }: Context['config']): CookieSerializeOptions {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: baseUrl.startsWith('https:') }
}

/** Keeps a sign-in in an encrypted cookie of its own, so that two tabs do not disturb each other. */
export function keepAttempt(context: Context, request: FastifyRequest, reply: FastifyReply, attempt: Attempt): void {
  const name = toName(context.config, 'fairlead_oidc')
  const others = listAttempts(context, request)
  for (const { name: old } of others.toSorted((a, b) => b.startedAt - a.startedAt).slice(attemptLimit - 1)) {
    reply.clearCookie(old, toOptions(context.config))
  }
  const isTaken = others.some((other) => other.name === name)
  const free = isTaken ? `${name}_${randomBytes(6).toString('hex')}` : name
  const sealed = seal(context.signingKey, 'oidc', JSON.stringify(attempt))
  reply.setCookie(free, sealed, { ...toOptions(context.config), maxAge: attemptLifetime / 1000 })
}

/** Returns the sign-in that this browser began with this state, and forgets it. */
export function takeAttempt(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { provider, state }: { provider: string; state: string },
): Attempt | undefined {
  const found = listAttempts(context, request).find(({ attempt }) => attempt?.state === state)
  if (!found?.attempt) return undefined
  reply.clearCookie(found.name, toOptions(context.config))
  const isFresh = found.startedAt > Date.now() - attemptLifetime
  return isFresh && found.attempt.provider === provider ? found.attempt : undefined
}

function listAttempts({ config, signingKey }: Context, request: FastifyRequest) {
  const name = toName(config, 'fairlead_oidc')
  return Object.entries(request.cookies)
    .filter(([one]) => one === name || one.startsWith(`${name}_`))
    .map(([name, value = '']) => {
      const text = unseal(signingKey, 'oidc', value)
      const attempt = text === undefined ? undefined : Attempt.parse(JSON.parse(text))
      return { name, attempt, startedAt: attempt?.startedAt ?? 0 }
    })
}

/** Gives the browser the secret of an identity that waits for the proof of an account. */
export function setLinkCookie({ config }: Context, reply: FastifyReply, token: string): void {
  const options = { ...toOptions(config), maxAge: attemptLifetime / 1000 }
  reply.setCookie(toName(config, 'fairlead_link'), token, options)
}

export function readLinkCookie({ config }: Context, request: FastifyRequest): string | undefined {
  return request.cookies[toName(config, 'fairlead_link')]
}

export function clearLinkCookie({ config }: Context, reply: FastifyReply): void {
  reply.clearCookie(toName(config, 'fairlead_link'), toOptions(config))
}
