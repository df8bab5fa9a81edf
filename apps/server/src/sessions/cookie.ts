import { toCleanName } from '@fairlead/contract'
import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Client, StartedSession } from './start.ts'

const name = 'fairlead_session'
/** The idle lifetime of a session, in seconds; the server enforces it by its own clock. */
const maxAge = 14 * 24 * 60 * 60

function toOptions({ baseUrl }: Pick<Config, 'baseUrl'>): CookieSerializeOptions {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: baseUrl.startsWith('https:') }
}

export function readSessionCookie(request: FastifyRequest): string | undefined {
  const value = request.cookies[name]
  return value === undefined || value === '' ? undefined : value
}

export function setSessionCookie(reply: FastifyReply, config: Pick<Config, 'baseUrl'>, token: string): void {
  reply.setCookie(name, token, { ...toOptions(config), maxAge })
}

export function clearSessionCookie(reply: FastifyReply, config: Pick<Config, 'baseUrl'>): void {
  reply.clearCookie(name, toOptions(config))
}

export function toClient(request: FastifyRequest): Client {
  return {
    address: request.ip,
    userAgent: toCleanName(request.headers['user-agent'] ?? '').slice(0, 300) || null,
    previousToken: readSessionCookie(request),
  }
}

/** Sets the session cookie, which scripts cannot read, and returns the session for the body. */
export function giveSession(
  reply: FastifyReply,
  config: Pick<Config, 'baseUrl'>,
  { token, session }: StartedSession,
): StartedSession['session'] {
  setSessionCookie(reply, config, token)
  return session
}
