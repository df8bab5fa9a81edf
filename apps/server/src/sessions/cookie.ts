import { toCleanName } from '@fairlead/contract'
import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Client, StartedSession } from './start.ts'

const plainName = 'fairlead_session'
/** Browsers take a cookie with this prefix only from its own host and over HTTPS, so no other host can plant it. */
const hostName = `__Host-${plainName}`
/** The idle lifetime of a session, in seconds; the server enforces it by its own clock. */
const maxAge = 14 * 24 * 60 * 60

function toName({ baseUrl }: Pick<Config, 'baseUrl'>): string {
  return baseUrl.startsWith('https:') ? hostName : plainName
}

function toOptions({ baseUrl }: Pick<Config, 'baseUrl'>): CookieSerializeOptions {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: baseUrl.startsWith('https:') }
}

/** Versions before this prefix set the plain name, which is still read, so that nobody is signed out. */
export function readSessionCookie(request: FastifyRequest): string | undefined {
  const value = request.cookies[hostName] ?? request.cookies[plainName]
  return value === undefined || value === '' ? undefined : value
}

/** Tells whether the session came in a cookie with another name than it gets now. */
export function hasOldCookie(request: FastifyRequest, config: Pick<Config, 'baseUrl'>): boolean {
  return request.cookies[toName(config)] === undefined
}

export function setSessionCookie(reply: FastifyReply, config: Pick<Config, 'baseUrl'>, token: string): void {
  reply.setCookie(toName(config), token, { ...toOptions(config), maxAge })
  if (toName(config) !== plainName) reply.clearCookie(plainName, toOptions(config))
}

export function clearSessionCookie(reply: FastifyReply, config: Pick<Config, 'baseUrl'>): void {
  for (const name of new Set([toName(config), plainName])) reply.clearCookie(name, toOptions(config))
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
