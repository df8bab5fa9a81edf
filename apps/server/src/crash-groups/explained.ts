/** What an explanation needs to know of a crash group, its crashes and its releases. */
import type { Crash } from '@fairlead/contract'
import { requireAt } from '@fairlead/invariant'
import type { AppContext } from '../context.ts'
import type { Row } from '../db/schema.ts'
import { findBuildOfRelease, listMissingRefs, requireCrashRow } from './crash-store.ts'
import { findTellingCrash, isReleaseUsed, listGroupsBornIn } from './explained-store.ts'
import { requireCrash } from './find.ts'
import { requireGroupRow } from './groups-store.ts'
import { compareReleases } from '../crash-releases/release-order.ts'
import { listGroupReleases } from '../crash-releases/statistics-store.ts'

export { findCrashOfSource } from './explained-store.ts'

type Context = Pick<AppContext, 'db'>

/** A group may have moved: the one that took over its crashes is returned. @throws {ApiError} crashGroupNotFound */
export async function requireLivingGroup({ db }: Context, workspaceId: number, id: number): Promise<number> {
  const group = await requireGroupRow(db, workspaceId, id)
  return group.redirect_id ?? group.id
}

/** The newest crash of a group whose frames are resolved, else the newest; undefined if none is kept. */
export async function findCrashToExplain(
  { db }: Context,
  workspaceId: number,
  groupId: number,
  releaseIds?: readonly number[],
): Promise<Crash | undefined> {
  const id = await findTellingCrash(db, groupId, releaseIds)
  return id === undefined ? undefined : requireCrash({ db }, workspaceId, id)
}

export interface FirstRelease {
  /** A release has a row for each of its environments. */
  ids: number[]
  /** The newest build of the release. */
  buildId: number
  /** Whether no release without a build had the group before. */
  isFirst: boolean
}

/** The most releases that are looked at for one with a build. */
const maxReleases = 50

/** The first release of a group that has a build, in the order of releases, which need not be that of arrival. */
export async function findFirstRelease(
  { db }: Context,
  applicationId: number,
  groupId: number,
): Promise<FirstRelease | undefined> {
  const rows = (await listGroupReleases(db, groupId)).toSorted(compareReleases)
  const named = Map.groupBy(rows, ({ short_version: shortVersion, version }) => JSON.stringify([shortVersion, version]))
  for (const [place, ofRelease] of [...named.values()].slice(0, maxReleases).entries()) {
    const buildId = await findBuildOfRelease(db, applicationId, requireAt(ofRelease, 0))
    if (buildId !== null) return { ids: ofRelease.map(({ id }) => id), buildId, isFirst: place === 0 }
  }
  return undefined
}

/** Whether a build has sessions or crashes, so that a crash it does not have is news in the build after it. */
export async function isBuildUsed({ db }: Context, build: BuildVersion): Promise<boolean> {
  return isReleaseUsed(db, build.application_id, build)
}

type BuildVersion = Pick<Row<'builds'>, 'application_id' | 'short_version' | 'version'>

/** The groups that the release of a build had first, and how many there are. */
export async function listNewGroups(
  { db }: Context,
  build: BuildVersion,
  limit: number,
): Promise<{ ids: number[]; count: number }> {
  return listGroupsBornIn(db, build, limit)
}

/** The symbols that the frames of a crash need and that are not here. */
export async function listMissingOfCrash(
  { db }: Context,
  workspaceId: number,
  crashId: number,
): Promise<{ kind: Row<'crash_waits'>['kind']; uuid: string | null }[]> {
  const { stack_id: stackId } = await requireCrashRow(db, workspaceId, crashId)
  const refs = await listMissingRefs(db, stackId)
  return refs.map(({ kind, ref }) => ({ kind, uuid: toUuid(ref) }))
}

/** Only ids that cannot be mistaken for a part of a command are passed on. */
function toUuid(ref: string): string | null {
  const id = ref.startsWith('id:') ? ref.slice('id:'.length) : ref
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$|^[0-9a-f]{7,64}$/i.test(id) ? id.toLowerCase() : null
}
