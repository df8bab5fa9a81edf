import { ApiError } from '@fairlead/contract'
import { type BuildRecord, isExpired } from '../builds/build.ts'
import { findLinkedBuild } from '../builds/find.ts'
import type { AppContext } from '../context.ts'
import { type Grant, readGrant } from './grant.ts'

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
  context: Pick<AppContext, 'db' | 'signingKey'>,
  params: { secret: string; grant: string },
): Promise<{ build: BuildRecord; grant: Grant }> {
  const build = await requireLinkedBuild(context, params.secret)
  const grant = readGrant(context.signingKey, build.secret, params.grant)
  if (!grant)
    throw new ApiError('installLinkExpired', { detail: 'This download link has expired: open the install link again' })
  return { build, grant }
}
