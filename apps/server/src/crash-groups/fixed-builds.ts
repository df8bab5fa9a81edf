/** Tells which builds of a version were made after the one with a fix. */
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { type BuildOfVersion, listBuildsOfVersion } from './crash-store.ts'

type Release = Pick<Row<'releases'>, 'short_version' | 'version'>
type Group = Pick<Row<'crash_groups'>, 'status' | 'resolved_in_version' | 'resolved_at'>

/** Answers whether a release was built after the fix of its group. */
export type LaterBuilds = (group: Group, release: Release) => boolean

/** Reads the builds of the versions in which these groups were resolved, each version once. */
export async function findLaterBuilds(db: Db, applicationId: number, groups: Iterable<Group>): Promise<LaterBuilds> {
  const builds = new Map<string, BuildOfVersion[]>()
  for (const { status, resolved_in_version: version } of groups) {
    if (status !== 'resolved' || version === null || builds.has(version)) continue
    builds.set(version, await listBuildsOfVersion(db, applicationId, version))
  }
  return ({ resolved_in_version: version, resolved_at: resolvedAt }, release) => {
    const known = builds.get(version ?? '') ?? []
    // The newest build of the time when somebody resolved the group has the fix, else the first one after it.
    const before = known.filter(({ uploaded_at: uploadedAt }) => uploadedAt <= (resolvedAt ?? 0))
    const fixed = before.at(-1) ?? known[0]
    const build = known.find((one) => isOf(one, release))
    return build !== undefined && fixed !== undefined && build.id > fixed.id && !isOf(fixed, release)
  }
}

function isOf(build: BuildOfVersion, release: Release): boolean {
  return (
    build.version === release.version && (release.short_version === '' || build.short_version === release.short_version)
  )
}
