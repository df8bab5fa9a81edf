import type { Db } from '../db/open.ts'
import type { BuildRecord } from './build.ts'
import { findBuild } from './store.ts'
import { listOlderBuilds } from './order-store.ts'

export { findBuildOfCommit, listBuildsBetween, listBuildsOfRelease } from './order-store.ts'

type Followed = Pick<
  BuildRecord,
  'id' | 'workspace_id' | 'application_id' | 'version' | 'short_version' | 'source_branch' | 'source_commit'
>

/**
 * Finds the build that a build followed: the one of the commit where its commits begin, else the newest older one of
 * its branch, else the newest older one. Another upload of the same version is no build before.
 */
export async function findPreviousBuild(
  db: Db,
  build: Followed,
  baseCommit: string | null,
): Promise<BuildRecord | undefined> {
  const found = await findPreviousSize(db, build, baseCommit)
  return found && findBuild(db, build.workspace_id, found.id)
}

/** Finds the id and the size of the build that `findPreviousBuild` finds. */
export async function findPreviousSize(
  db: Db,
  build: Followed,
  baseCommit: string | null,
): Promise<{ id: number; size: number } | undefined> {
  const ways = [
    ...(baseCommit === null || baseCommit === build.source_commit ? [] : [{ commit: baseCommit }]),
    ...(build.source_branch === null ? [] : [{ branch: build.source_branch }]),
    {},
  ]
  for (const way of ways) {
    const [found] = await listOlderBuilds(db, build, way, 1)
    if (found) return found
  }
  return undefined
}
