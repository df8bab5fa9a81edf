/**
 * Groups: what a team looks at, crashes of one cause. `group-of-stack.ts` finds the group of a key or makes it,
 * `count-in-groups.ts` adds new crashes to the totals, `sum-group.ts` sums them up again when stacks have moved, and
 * `tell-of-group.ts` says what alert rules are to be told. This file is what other features look up.
 *
 * Always true: a group's totals are the sums over its stacks, and a key leads to one group, also after people have
 * merged or split groups.
 */
import type { Crash, CrashGroup, CrashGroupQuery, CrashGroupStatistics } from '@fairlead/contract'
import { requireAt, requireKey } from '@fairlead/invariant'
import type { AppContext } from '../context.ts'
import type { Paged } from '../db/paging.ts'
import type { Row } from '../db/schema.ts'
import { toDate, toDay } from '../crash-releases/clock.ts'
import { toCrash } from './crash.ts'
import { type GroupRecord, toCrashGroup, toRelease } from './crash-group.ts'
import { findBuildOfRelease, listMissingRefs, requireCrashRow } from './crash-store.ts'
import { listGroupFacts, trendDays } from './group-facts-store.ts'
import { toGroupFilter } from './group-filter.ts'
import { countOpenGroups, listGroups } from './group-list-store.ts'
import { requireGroupRow } from './groups-store.ts'
import { countInstalls, createSketch, mergeSketches, readSketch } from '../crash-releases/install-sketch.ts'
import { toMissingNames } from '../crash-stacks/missing-names.ts'
import { compareReleases } from '../crash-releases/release-order.ts'
import { listReleasesById } from '../crash-releases/releases-store.ts'
import {
  listGroupDays,
  listGroupReleaseDays,
  listGroupReleases,
  listGroupValues,
  listLargestStacks,
  listReleaseSketches,
} from '../crash-releases/statistics-store.ts'

type Context = Pick<AppContext, 'db'>

export async function listCrashGroups(
  context: Context & Pick<AppContext, 'signingKey'>,
  applicationId: number,
  query: CrashGroupQuery,
): Promise<Paged<CrashGroup>> {
  const page = await listGroups(context.db, applicationId, toGroupFilter(context, applicationId, query))
  return { ...page, items: await addFacts(context, page.items, query.environment) }
}

/** Counts the open crash groups of each application that has any. */
export async function countOpenCrashGroups({ db }: Context, applicationIds: number[]): Promise<Map<number, number>> {
  return countOpenGroups(db, applicationIds)
}

/** @throws {ApiError} crashGroupNotFound */
export async function requireCrashGroup({ db }: Context, workspaceId: number, id: number): Promise<CrashGroup> {
  const [group] = await addFacts({ db }, [await requireGroupRow(db, workspaceId, id)], undefined)
  if (!group) throw new Error('A group was lost.')
  return group
}

async function addFacts(
  { db }: Context,
  groups: readonly GroupRecord[],
  environment: string | undefined,
): Promise<CrashGroup[]> {
  const ids = groups.flatMap(({ first_release_id: first, last_release_id: last }) => [first, last])
  const releases = await listReleasesById(
    db,
    [...new Set(ids)].filter((id) => id !== null),
  )
  const facts = await listGroupFacts(db, groups, environment)
  return groups.map((group) => toCrashGroup(group, releases, requireKey(facts, group.id)))
}

/** @throws {ApiError} crashNotFound */
export async function requireCrash({ db }: Context, workspaceId: number, id: number): Promise<Crash> {
  const row = await requireCrashRow(db, workspaceId, id)
  const missing = await listMissingRefs(db, row.stack_id)
  const buildId = await findBuildOfRelease(db, row.application_id, row)
  const missingSymbols = [...new Set(missing.flatMap(toMissingNames))]
  return toCrash(row, { missingSymbols, buildId })
}

export async function describeGroup({ db }: Context, group: Row<'crash_groups'>): Promise<CrashGroupStatistics> {
  const rows = await listGroupReleases(db, group.id)
  const sketches = Map.groupBy(await listReleaseSketches(db, group.id), ({ release_id: id }) => id)
  const recent = await listGroupReleaseDays(db, group.id, toDay(Date.now()) - trendDays + 1)
  const daysOf = Map.groupBy(recent, ({ release_id: id }) => id)
  const described = []
  const toName = ({ package: name, short_version: shortVersion, version }: (typeof rows)[number]) =>
    JSON.stringify([name, shortVersion, version])
  // A release has a row for each of its environments.
  const releases = [...Map.groupBy(rows, toName).values()].map((ofRelease) => ({
    ...requireAt(ofRelease, 0),
    ids: ofRelease.map(({ id }) => id),
    count: sumOf(ofRelease),
  }))
  for (const release of releases.toSorted((one, other) => compareReleases(other, one))) {
    let sketch = createSketch()
    for (const id of release.ids) {
      for (const row of sketches.get(id) ?? []) sketch = mergeSketches(sketch, readSketch(row.sketch))
    }
    const { count: installCount, isApproximate: isInstallCountApproximate } = countInstalls(sketch)
    const buildId = await findBuildOfRelease(db, group.application_id, release)
    described.push({
      ...toRelease(release),
      count: release.count,
      installCount,
      isInstallCountApproximate,
      buildId,
      days: toDays(release.ids.flatMap((id) => daysOf.get(id) ?? [])),
    })
  }
  const days = await listGroupDays(db, group.id)
  const stacks = await listLargestStacks(db, group.id)
  return {
    days: days.map(({ day, count }) => ({ date: toDate(day), count })),
    releases: described,
    environments: [...Map.groupBy(rows, ({ environment }) => environment)].map(([value, ofOne]) => ({
      value,
      count: sumOf(ofOne),
    })),
    tags: toTagCounts(await listGroupValues(db, group.id, 'tag')),
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

/** A release has days in each of its environments. */
function toDays(rows: readonly { day: number; count: number }[]): { date: string; count: number }[] {
  const byDay = [...Map.groupBy(rows, ({ day }) => day)].toSorted(([one], [other]) => one - other)
  return byDay.map(([day, ofDay]) => ({ date: toDate(day), count: sumOf(ofDay) }))
}

function sumOf(rows: readonly { count: number }[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0)
}

function toTagCounts(values: readonly { value: string; count: number }[]): CrashGroupStatistics['tags'] {
  const pairs = values.map(({ value: tag, count }) => {
    const colon = tag.indexOf(':')
    return { key: tag.slice(0, colon), value: tag.slice(colon + 1), count }
  })
  return [...Map.groupBy(pairs, ({ key }) => key)].map(([key, ofKey]) => ({
    key,
    values: ofKey.map(({ value, count }) => ({ value, count })),
  }))
}
