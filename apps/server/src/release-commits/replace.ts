/**
 * Commits that `sentry-cli releases set-commits` sends with a release. They are kept with the release and copied to its
 * builds, those that are here and those that come later, so that everything that reads the commits of a build finds
 * them. A list that CI has sent for the build itself is never replaced by them.
 */
import { splitRelease } from '@fairlead/crashes'
import type { CommitList } from '../commit-lists/commit-list.ts'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import {
  copyToBuild,
  deleteCopies,
  deleteReleaseList,
  findNewestList,
  insertReleaseList,
  listBuildsForRelease,
  type VersionOfBuild,
} from './store.ts'

/**
 * Replaces the commits of a release, or removes them. The transaction holds the lock of the application, so that no
 * build of the release is uploaded at the same time and stays without them.
 */
export async function replaceReleaseCommits(
  trx: Db,
  release: Pick<Row<'declared_releases'>, 'id' | 'application_id' | 'version'>,
  list: CommitList | null,
): Promise<void> {
  await deleteReleaseList(trx, release.id)
  const { shortVersion, version } = splitRelease(release.version)
  // Builds are known by their number, so the commits of a release without one would have no build.
  if (version === null) return
  const of = { application_id: release.application_id, short_version: shortVersion, version }
  if (list) await insertReleaseList(trx, { ...of, release_id: release.id }, list, Date.now())
  const builds = await listBuildsForRelease(trx, of)
  await deleteCopies(trx, builds)
  if (!list) return
  for (const buildId of builds) await copyToBuild(trx, release.id, buildId)
}

/** Gives a new build the commits of its release, if sentry-cli was faster than the upload. */
export async function takeReleaseCommits(trx: Db, build: VersionOfBuild & { id: number }): Promise<void> {
  const list = await findNewestList(trx, build)
  if (list) await copyToBuild(trx, list.release_id, build.id)
}
