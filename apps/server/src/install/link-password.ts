import { ApiError } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { toNetwork } from '../passwords/network.ts'

/** A link that may have a password. */
export interface ProtectedLink {
  /** What attempts are counted by: the id of the build, or `latest` and the id of the latest link. */
  name: string
  passwordHash: string | null
}

/**
 * Checks the password of a link under a rate limit per link and client network.
 *
 * @throws {ApiError} tooManyRequests
 */
export async function isLinkPassword(
  { guard }: Pick<AppContext, 'guard'>,
  { name, passwordHash }: ProtectedLink,
  given: string,
  address: string,
): Promise<boolean> {
  if (passwordHash === null) return true
  if (given === '' || given.length > 200) return false
  const key = `${name} ${toNetwork(address)}`
  await guard.byLink.check(key)
  if (!(await guard.passwords.verify(given, passwordHash))) return false
  await guard.byLink.takeBack(key)
  return true
}

/** Reads the field `password` of a submitted form. */
export function readPasswordField(body: unknown): string {
  if (typeof body !== 'string') throw new ApiError('invalidRequest')
  return new URLSearchParams(body).get('password') ?? ''
}

/** Reads the password of an Authorization header of the scheme Basic; the name of the user does not matter. */
export function readBasicPassword(header: string | undefined): string {
  const [, encoded = ''] = /^Basic +([A-Za-z0-9+/]{1,2000}={0,2})$/i.exec(header ?? '') ?? []
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon === -1 ? '' : text.slice(colon + 1)
}
