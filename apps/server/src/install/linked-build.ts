import { ApiError } from '@fairlead/contract'
import { type BuildRecord, isExpired } from '../builds/build.ts'
import { findGrantedBuild, findLinkedBuild } from '../builds/find.ts'
import { findTrashedBuild, isLinkOfTrash } from '../builds/trash.ts'
import { listLatestBuilds } from '../builds/latest.ts'
import type { AppContext } from '../context.ts'
import { findGrantingLatestLink, findOpenedLatestLink } from '../latest-links/find.ts'
import { type LatestLinkRecord, toLatestScope } from '../latest-links/latest-link.ts'
import { findGrantedId, isStateOf, type LatestGrant, readGrant, readLatestGrant } from './grant.ts'

/** @throws {ApiError} installLinkNotFound, installLinkExpired, installLinkRevoked */
export async function requireLinkedBuild(context: Pick<AppContext, 'db'>, secret: string): Promise<BuildRecord> {
  const build = await findLinkedBuild(context, secret)
  if (build) return requireOpen(build)
  throw new ApiError((await isLinkOfTrash(context, secret)) ? 'buildTrashed' : 'installLinkNotFound')
}

/** @throws {ApiError} installLinkNotFound, installLinkExpired, installLinkRevoked */
export async function requireLatestLinkOf(context: Pick<AppContext, 'db'>, secret: string): Promise<LatestLinkRecord> {
  const link = await findOpenedLatestLink(context, secret)
  if (!link) throw new ApiError('installLinkNotFound')
  return requireOpen(link)
}

/**
 * Returns the newest build of a latest link and, if the link shows them, the ten builds before it.
 *
 * @throws {ApiError} nothingToInstall
 */
export async function requireServedBuilds(
  context: Pick<AppContext, 'db'>,
  link: LatestLinkRecord,
): Promise<{ build: BuildRecord; older: BuildRecord[] }> {
  const [build, ...older] = await listLatestBuilds(context, toLatestScope(link), link.shows_older === 1 ? 11 : 1)
  if (!build) throw new ApiError('nothingToInstall')
  return { build, older }
}

/** A build that a grant gives access to. */
interface GrantedDownload {
  build: BuildRecord
  /** The tester of the personal link that the grant came from. */
  testerId: number | null
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
): Promise<GrantedDownload> {
  const latest = readLatestGrant(context.signingKey, text)
  if (latest) return { build: await requireGrantedByLatest(context, latest), testerId: null }
  const id = findGrantedId(text)
  const build = id === undefined ? undefined : await findGrantedBuild(context, id)
  const grant = build && readGrant(context.signingKey, build, text)
  if (!build || !grant)
    throw new ApiError((await isOfTrash(context, id, text)) ? 'buildTrashed' : 'installLinkNotFound')
  requireOpen(build)
  requireTime(grant)
  return { build, testerId: grant.testerId }
}

/** The link that gave the grant out is asked first: what it gave out ends with it. */
async function requireGrantedByLatest(
  context: Pick<AppContext, 'db' | 'signingKey'>,
  grant: LatestGrant,
): Promise<BuildRecord> {
  const link = await findGrantingLatestLink(context, grant.linkId)
  if (!link) throw new ApiError('installLinkRevoked')
  requireOpen(link)
  if (!isStateOf(context.signingKey, link, grant.state)) throw new ApiError('downloadExpired')
  requireTime(grant)
  const build = await findGrantedBuild(context, grant.buildId)
  if (build) return requireOpen(build)
  throw new ApiError((await findTrashedBuild(context, grant.buildId)) ? 'buildTrashed' : 'installLinkNotFound')
}

/** Tells whether a grant was made for a build that is in the trash now. */
async function isOfTrash(
  context: Pick<AppContext, 'db' | 'signingKey'>,
  id: number | undefined,
  text: string,
): Promise<boolean> {
  const build = id === undefined ? undefined : await findTrashedBuild(context, id)
  return build !== undefined && readGrant(context.signingKey, build, text) !== undefined
}

function requireTime({ expiresAt }: { expiresAt: number }): void {
  if (expiresAt <= Date.now()) throw new ApiError('downloadExpired')
}

function requireOpen<Link extends { link_revoked_at: number | null; expires_at: number | null }>(link: Link): Link {
  if (link.link_revoked_at !== null) throw new ApiError('installLinkRevoked')
  if (link.expires_at !== null && isExpired({ expires_at: link.expires_at })) throw new ApiError('installLinkExpired')
  return link
}
