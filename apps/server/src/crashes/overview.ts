import type { ApplicationOverview, OverviewLine, ReleaseHealth } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { toInstant } from '../http/instant.ts'
import { toDate, toDay } from '../crash-releases/clock.ts'
import { toRelease, toReleaseOrNull } from '../crash-groups/crash-group.ts'
import { findBuildOfRelease } from '../crash-groups/crash-store.ts'
import {
  countNewGroups,
  listApplicationsLackingSymbols,
  listBusiestReleases,
  listBusyReleases,
  listDaysOfReleases,
  listNewestMissing,
  listReleasesOfBuild,
  listSessionTotals,
  listWorstNewGroups,
} from './overview-store.ts'
import { compareReleases } from '../crash-releases/release-order.ts'
import { listReleasesById } from '../crash-releases/releases-store.ts'
import { toCrashFree } from './stability.ts'
import { findBusiestEnvironment } from '../crash-releases/statistics-store.ts'

type Context = Pick<AppContext, 'db'>

/** What an overview calls recent, in days. */
const recentDays = 14
const adoptionDays = 7
const maxReleases = 6
const maxGroups = 3
const waitingStacks = 200

type NewestBuild = { application_id: number; bundle_identifier: string; short_version: string; version: string }
type Counted = { started_count: number; crashed_count: number }

/** Describes the stability, the new groups and the missing symbols of an application, at a cost that does not grow. */
export async function describeCrashesOf(
  { db }: Context,
  applicationId: number,
  newestBuild: NewestBuild | undefined,
): Promise<Pick<ApplicationOverview, 'stability' | 'newCrashGroups' | 'missingSymbols'>> {
  const today = toDay(Date.now())
  const groups = await listWorstNewGroups(db, applicationId, listDays(today), maxGroups)
  const ids = groups.map(({ first_release_id: id }) => id).filter((id) => id !== null)
  const releases = await listReleasesById(db, ids)
  const count = await countNewGroups(db, [applicationId], today - recentDays + 1)
  return {
    stability: await describeStability(db, applicationId, newestBuild, today),
    newCrashGroups: {
      count: count.get(applicationId) ?? 0,
      worst: groups.map((group) => ({
        id: group.id,
        kind: group.kind,
        title: group.title,
        culprit: group.culprit,
        message: group.message,
        crashCount: group.crash_count,
        installCount: group.install_count,
        firstSeenDate: toInstant(group.first_seen_at),
        lastSeenDate: toInstant(group.last_seen_at),
        firstRelease: toReleaseOrNull(releases.get(group.first_release_id ?? 0)),
      })),
    },
    missingSymbols: await listNewestMissing(db, applicationId, { stacks: waitingStacks, limit: 3 }),
  }
}

/** Returns what lists of applications show of the crashes of each. */
export async function summarizeCrashesOf(
  { db }: Context,
  applicationIds: number[],
): Promise<Map<number, Pick<OverviewLine, 'crashFreeRate' | 'newCrashGroupCount' | 'lacksSymbols'>>> {
  const today = toDay(Date.now())
  const totals = await listSessionTotals(db, applicationIds, today - recentDays + 1)
  const totalsOf = Map.groupBy(totals, ({ application_id: id }) => id)
  const newGroups = await countNewGroups(db, applicationIds, today - recentDays + 1)
  const lacking = await listApplicationsLackingSymbols(db, applicationIds)
  return new Map(
    applicationIds.map((id) => {
      const ofEnvironments = [...Map.groupBy(totalsOf.get(id) ?? [], ({ environment }) => environment).values()]
      const sums = ofEnvironments.map(sumUp).toSorted((one, other) => other.startedCount - one.startedCount)
      return [
        id,
        {
          crashFreeRate: sums[0]?.crashFreeRate ?? null,
          newCrashGroupCount: newGroups.get(id) ?? 0,
          lacksSymbols: lacking.has(id),
        },
      ]
    }),
  )
}

async function describeStability(
  db: Context['db'],
  applicationId: number,
  newestBuild: NewestBuild | undefined,
  today: number,
): Promise<ApplicationOverview['stability']> {
  const environment = await findBusiestEnvironment(db, applicationId)
  const since = today - recentDays + 1
  const all = await listSessionTotals(db, [applicationId], since - recentDays)
  const totals = all.filter((row) => row.environment === environment && row.day <= today)
  const recent = totals.filter(({ day }) => day >= since)
  const busy = await listBusyReleases(db, applicationId, {
    environment,
    days: recent.map(({ day }) => day),
    perDay: maxReleases,
  })
  const ofBuild = newestBuild === undefined ? [] : await listReleasesOfBuild(db, newestBuild, environment)
  const ids = [...new Set([...busy, ...ofBuild])]
  return {
    environment,
    ...sumUp(recent),
    previousCrashFreeRate: sumUp(totals.filter(({ day }) => day < since)).crashFreeRate,
    days: listDays(today)
      .toReversed()
      .map((day) => ({ date: toDate(day), ...sumUp(recent.filter((row) => row.day === day)) })),
    releases: ids.length === 0 ? [] : await describeReleases(db, applicationId, { ids, ofBuild, today, recent }),
  }
}

async function describeReleases(
  db: Context['db'],
  applicationId: number,
  given: { ids: number[]; ofBuild: number[]; today: number; recent: readonly (Counted & { day: number })[] },
): Promise<ReleaseHealth[]> {
  const { ids, ofBuild, today, recent } = given
  const isOfAdoption = ({ day }: { day: number }) => day > today - adoptionDays
  const total = sumUp(recent.filter(isOfAdoption)).startedCount
  const sinceDay = today - recentDays + 1
  const busiest = await listBusiestReleases(db, applicationId, ids, { sinceDay, limit: maxReleases })
  // The days of many releases may be among the busiest of their day, and only those that are shown are read.
  const rows = await listDaysOfReleases(db, applicationId, [...new Set([...ofBuild, ...busiest])], sinceDay)
  const daysOf = Map.groupBy(rows, ({ release_id: id }) => id)
  const named = await listReleasesById(db, [...daysOf.keys()])
  const counted = [...named.values()].map((row) => ({ row, days: daysOf.get(row.id) ?? [] }))
  const startedBy = ({ row, days }: (typeof counted)[number]) =>
    ofBuild.includes(row.id) ? Infinity : sumUp(days).startedCount
  const shown = counted.toSorted((one, other) => startedBy(other) - startedBy(one)).slice(0, maxReleases)
  const described = []
  for (const { row, days } of shown.toSorted((one, other) => compareReleases(other.row, one.row))) {
    described.push({
      ...toRelease(row),
      ...sumUp(days),
      firstSeenDate: toInstant(row.first_seen_at),
      buildId: await findBuildOfRelease(db, applicationId, row),
      adoptionRate: total === 0 ? null : Math.min(1, sumUp(days.filter(isOfAdoption)).startedCount / total),
      days: days.map(({ day, started_count: startedCount, crashed_count: crashedCount }) => ({
        date: toDate(day),
        startedCount,
        crashedCount,
      })),
    })
  }
  return described
}

/** The recent days in UTC, newest first. */
function listDays(today: number): number[] {
  return Array.from({ length: recentDays }, (_, age) => today - age)
}

function sumUp(rows: readonly Counted[]) {
  const startedCount = rows.reduce((sum, row) => sum + row.started_count, 0)
  const crashedCount = rows.reduce((sum, row) => sum + row.crashed_count, 0)
  return { startedCount, crashedCount, crashFreeRate: toCrashFree(crashedCount, startedCount) }
}
