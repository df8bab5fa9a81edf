import type { Db } from '../db/open.ts'
import { listServedIds } from '../latest-links/served.ts'
import { type Circumstances, judgeBuild } from './judge.ts'
import {
  findIdOfRank,
  findNewestId,
  findNewestIdOfGroup,
  listJudgedBuilds,
  type ReadBuild,
} from './judged-builds-store.ts'

/**
 * Judges candidates again, as the database is now, and returns those that the rules would leave: pinned, distributed or
 * shown by a link meanwhile, or needed because a newer build is gone. Candidates come lowest ids first, so what stands
 * above each has not been moved by the same run.
 */
export async function findSpared(
  trx: Db,
  applicationId: number,
  ids: number[],
  given: Circumstances,
): Promise<Set<number>> {
  const builds = await listJudgedBuilds(trx, applicationId, ids)
  const places = await readPlaces(trx, applicationId, builds, given)
  const going = builds.filter((build) => judgeBuild(build, places.find(build), given)?.keptBy === null)
  const goes = new Set(going.map(({ id }) => id))
  return new Set(ids.filter((id) => !goes.has(id)))
}

/** Reads what decides where some builds stand, once for each branch and group instead of once for each build. */
async function readPlaces(trx: Db, applicationId: number, builds: ReadBuild[], { settings }: Circumstances) {
  const servedIds = await listServedIds({ db: trx }, applicationId)
  const newestId = await findNewestId(trx, applicationId)
  // A rule asks whether a build is among the newest so many of its branch, so only these ranks matter.
  const ranks = [...new Set([1, ...settings.rules.flatMap(({ keepNewest }) => keepNewest ?? [])])]
  const bounds = new Map<string | null, { rank: number; id: number }[]>()
  for (const branch of new Set(builds.map((build) => build.branch))) {
    const found: { rank: number; id: number }[] = []
    for (const rank of ranks) {
      const id = await findIdOfRank(trx, applicationId, branch, rank - 1)
      if (id !== undefined) found.push({ rank, id })
    }
    bounds.set(branch, found)
  }
  const newestOfGroups = new Set<number>()
  for (const groupId of new Set(builds.flatMap(({ groups }) => groups.map((group) => group.groupId)))) {
    const id = await findNewestIdOfGroup(trx, applicationId, groupId)
    if (id !== undefined) newestOfGroups.add(id)
  }
  return {
    find: (build: ReadBuild) => ({
      // The highest rank that the build is known to be below; that is exact wherever a rule asks.
      higherInBranch: Math.max(
        0,
        ...(bounds.get(build.branch) ?? []).filter(({ id }) => build.id < id).map(({ rank }) => rank),
      ),
      isNewestOfApplication: build.id === newestId,
      isLatest: newestOfGroups.has(build.id) || servedIds.has(build.id),
    }),
  }
}
