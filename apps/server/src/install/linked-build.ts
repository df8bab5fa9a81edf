import { ApiError } from '@fairlead/contract'
import { type BuildRecord, isExpired } from '../builds/build.ts'
import { findGrantedBuild, findLinkedBuild } from '../builds/find.ts'
import type { AppContext } from '../context.ts'
import { findGrantedId, type Grant, readGrant } from './grant.ts'

/** @throws {ApiError} installLinkNotFound, installLinkExpired, installLinkRevoked */
export async function requireLinkedBuild(context: Pick<AppContext, 'db'>, secret: string): Promise<BuildRecord> {
  const build = await findLinkedBuild(context, secret)
  if (!build) throw new ApiError('installLinkNotFound')
  return requireOpen(build)
}

/**
 * Returns the build that a grant in the address gives access to. A forged grant gets the same answer whether or not the
 * build exists.
 *
 * @throws {ApiError} installLinkNotFound, installLinkExpired, installLinkRevoked, downloadExpired
 */
export async function requireGranted(
  context: Pick<AppContext, 'db' | 'signingKey'>,
  text: string,
): Promise<{ build: BuildRecord; grant: Grant }> {
  const id = findGrantedId(text)
  const build = id === undefined ? undefined : await findGrantedBuild(context, id)
  const grant = build && readGrant(context.signingKey, build, text)
  if (!build || !grant) throw new ApiError('installLinkNotFound')
  requireOpen(build)
  if (grant.expiresAt <= Date.now()) throw new ApiError('downloadExpired')
  return { build, grant }
}

function requireOpen(build: BuildRecord): BuildRecord {
  if (build.link_revoked_at !== null) throw new ApiError('installLinkRevoked')
  if (isExpired(build)) throw new ApiError('installLinkExpired')
  return build
}
