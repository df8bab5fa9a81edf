import { ApiError } from '@fairlead/contract'
import { type BuildRecord, isExpired } from '../builds/build.ts'
import { findBuildBySecret } from '../builds/store.ts'
import type { AppContext } from '../context.ts'
import { type Grant, readGrant } from './grant.ts'

/** Finds the build of an install link. Returns undefined for unknown secrets and for text that cannot be a secret. */
export async function findLinkedBuild(
  { db }: Pick<AppContext, 'db'>,
  secret: string,
): Promise<BuildRecord | undefined> {
  return /^[\w-]{22}$/.test(secret) ? findBuildBySecret(db, secret) : undefined
}

/** @throws {ApiError} installLinkNotFound, installLinkExpired */
export async function requireLinkedBuild(context: Pick<AppContext, 'db'>, secret: string): Promise<BuildRecord> {
  const build = await findLinkedBuild(context, secret)
  if (!build) throw new ApiError('installLinkNotFound')
  if (isExpired(build)) throw new ApiError('installLinkExpired')
  return build
}

/**
 * Returns the build that a grant in the address gives access to.
 *
 * @throws {ApiError} installLinkNotFound, installLinkExpired
 */
export async function requireGranted(
  context: Pick<AppContext, 'db' | 'linkKey'>,
  params: { secret: string; grant: string },
): Promise<{ build: BuildRecord; grant: Grant }> {
  const build = await requireLinkedBuild(context, params.secret)
  const grant = readGrant(context.linkKey, build.secret, params.grant)
  if (!grant)
    throw new ApiError('installLinkExpired', { detail: 'This download link has expired: open the install link again' })
  return { build, grant }
}
