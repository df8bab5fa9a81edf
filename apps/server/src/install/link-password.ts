import { ApiError } from '@fairlead/contract'
import type { BuildRecord } from '../builds/build.ts'
import type { AppContext } from '../context.ts'
import { toNetwork } from '../passwords/network.ts'

/**
 * Checks the password of an install link under a rate limit per link and client network.
 *
 * @throws {ApiError} tooManyRequests
 */
export async function isLinkPassword(
  { guard }: Pick<AppContext, 'guard'>,
  build: Pick<BuildRecord, 'id' | 'link_password_hash'>,
  given: string,
  address: string,
): Promise<boolean> {
  if (build.link_password_hash === null) return true
  if (given === '' || given.length > 200) return false
  const key = `${build.id} ${toNetwork(address)}`
  await guard.byLink.check(key)
  if (!(await guard.passwords.verify(given, build.link_password_hash))) return false
  await guard.byLink.takeBack(key)
  return true
}

/** Reads the field `password` of a submitted form. */
export function readPasswordField(body: unknown): string {
  if (typeof body !== 'string') throw new ApiError('invalidRequest')
  return new URLSearchParams(body).get('password') ?? ''
}
