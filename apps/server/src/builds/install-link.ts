import { ApiError, type InstallLink, type UpdateInstallLink } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { toInstant } from '../http/instant.ts'
import { toInstallUrl } from '../links/install-url.ts'
import type { BuildRecord } from './build.ts'
import { updateBuildRow } from './write-store.ts'

/** A link may be extended to this many milliseconds from now at most. */
const longestLifetime = 3650 * 24 * 60 * 60 * 1000

export function toInstallLink(
  build: Pick<BuildRecord, 'secret' | 'expires_at' | 'link_revoked_at' | 'link_password_hash'>,
  baseUrl: string,
): InstallLink {
  return {
    installUrl: toInstallUrl(build, baseUrl),
    expirationDate: toInstant(build.expires_at),
    isRevoked: build.link_revoked_at !== null,
    hasPassword: build.link_password_hash !== null,
  }
}

/**
 * Extends, revokes, restores or protects the install link of a build. A new password also ends the downloads that the
 * old one allowed.
 *
 * @throws {ApiError} buildNotFound, invalidRequest
 */
export async function updateInstallLink(
  { db, config, guard }: Pick<AppContext, 'db' | 'config' | 'guard'>,
  build: BuildRecord,
  { expirationDate, isRevoked, password }: UpdateInstallLink,
): Promise<InstallLink> {
  const changes: Partial<Pick<BuildRecord, 'expires_at' | 'link_revoked_at' | 'link_password_hash'>> = {}
  if (expirationDate !== undefined) changes.expires_at = readLinkEnd(expirationDate)
  if (isRevoked !== undefined) changes.link_revoked_at = isRevoked ? (build.link_revoked_at ?? Date.now()) : null
  if (password !== undefined) {
    changes.link_password_hash = password === null ? null : await guard.passwords.hash(password)
  }
  if (Object.keys(changes).length > 0 && !(await updateBuildRow(db, build.workspace_id, build.id, changes))) {
    throw new ApiError('buildNotFound')
  }
  return toInstallLink({ ...build, ...changes }, config.baseUrl)
}

/**
 * Reads until when a link shall work.
 *
 * @throws {ApiError} invalidRequest
 */
export function readLinkEnd(text: string): number {
  const expiresAt = Date.parse(text)
  const now = Date.now()
  if (expiresAt <= now || expiresAt > now + longestLifetime) {
    const detail = expiresAt <= now ? 'is in the past' : 'is more than ten years away'
    throw new ApiError('invalidRequest', { faults: [{ source: '/expirationDate', detail }] })
  }
  return expiresAt
}
