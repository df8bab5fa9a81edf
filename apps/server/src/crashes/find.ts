import type { Crash, CrashGroup, CrashGroupQuery, CrashGroupStatistics, Stability } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { Paged } from '../db/paging.ts'
import type { Row } from '../db/schema.ts'
import { toDate } from './clock.ts'
import { toCrash } from './crash.ts'
import { type GroupRecord, toCrashGroup, toRelease } from './crash-group.ts'
import { findBuildOfRelease, listMissingRefs, requireCrashRow } from './crash-store.ts'
import { listGroups } from './group-list-store.ts'
import { requireGroupRow } from './groups-store.ts'
import { countInstalls, createSketch, mergeSketches, readSketch } from './install-sketch.ts'
import { compareReleases } from './release-order.ts'
import { listReleasesById } from './releases-store.ts'
import {
  listGroupDays,
  listGroupReleases,
  listGroupValues,
  listLargestStacks,
  listReleaseSketches,
  listSessionDays,
} from './statistics-store.ts'

type Context = Pick<AppContext, 'db'>

export async function listCrashGroups(
  { db }: Context,
  applicationId: number,
  query: CrashGroupQuery,
): Promise<Paged<CrashGroup>> {
  const page = await listGroups(db, applicationId, query)
  return { ...page, items: await addReleases({ db }, page.items) }
}

/** @throws {ApiError} crashGroupNotFound */
export async function requireCrashGroup({ db }: Context, workspaceId: number, id: number): Promise<CrashGroup> {
  const [group] = await addReleases({ db }, [await requireGroupRow(db, workspaceId, id)])
  if (!group) throw new Error('A group was lost.')
  return group
}

async function addReleases({ db }: Context, groups: readonly GroupRecord[]): Promise<CrashGroup[]> {
  const ids = groups.flatMap(({ first_release_id: first, last_release_id: last }) => [first, last])
  const releases = await listReleasesById(
    db,
    [...new Set(ids)].filter((id) => id !== null),
  )
  return groups.map((group) => toCrashGroup(group, releases))
}

/** @throws {ApiError} crashNotFound */
export async function requireCrash({ db }: Context, workspaceId: number, id: number): Promise<Crash> {
  const row = await requireCrashRow(db, workspaceId, id)
  const missing = await listMissingRefs(db, row.stack_id)
  const buildId = await findBuildOfRelease(db, row.application_id, row)
  const missingSymbols = missing.flatMap(({ kind, ref }) => {
    return kind === 'dsym' ? [ref] : ref.startsWith('id:') ? [ref.slice('id:'.length)] : []
  })
  return toCrash(row, { missingSymbols, buildId })
}

export async function describeGroup({ db }: Context, group: Row<'crash_groups'>): Promise<CrashGroupStatistics> {
  const releases = await listGroupReleases(db, group.id)
  const sketches = Map.groupBy(await listReleaseSketches(db, group.id), ({ release_id: id }) => id)
  const described = []
  for (const release of releases.toSorted((one, other) => compareReleases(other, one))) {
    let sketch = createSketch()
    for (const row of sketches.get(release.id) ?? []) sketch = mergeSketches(sketch, readSketch(row.sketch))
    const { count: installCount, isApproximate: isInstallCountApproximate } = countInstalls(sketch)
    const buildId = await findBuildOfRelease(db, group.application_id, release)
    described.push({
      ...toRelease(release),
      count: release.count,
      installCount,
      isInstallCountApproximate,
      buildId,
    })
  }
  const days = await listGroupDays(db, group.id)
  const stacks = await listLargestStacks(db, group.id)
  return {
    days: days.map(({ day, count }) => ({ date: toDate(day), count })),
    releases: described,
    osVersions: await listGroupValues(db, group.id, 'os'),
    deviceModels: await listGroupValues(db, group.id, 'device'),
    stacks: stacks.map((stack) => ({
      id: stack.id,
      crashCount: stack.crash_count,
      firstCrashId: stack.first_crash_id,
      isPinned: stack.pinned_group_id !== null,
    })),
  }
}

export async function listStability(
  { db }: Context,
  applicationId: number,
  version: string | undefined,
): Promise<Stability[]> {
  const rows = await listSessionDays(db, applicationId, version)
  return rows.map((row) => ({
    date: toDate(row.day),
    ...toRelease(row),
    startedCount: row.started_count,
    crashedCount: row.crashed_count,
    crashFreeRate: row.started_count === 0 ? null : Math.max(0, 1 - row.crashed_count / row.started_count),
  }))
}
