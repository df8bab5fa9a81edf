import type { Stability, StabilityQuery } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { toDate } from '../crash-releases/clock.ts'
import { toRelease } from '../crash-groups/crash-group.ts'
import { countInstalls, createSketch, mergeSketches, readSketch } from '../crash-releases/install-sketch.ts'
import { findBusiestEnvironment, listSessionDays } from '../crash-releases/statistics-store.ts'

/**
 * Lists crash-free rates by day, release and environment. A release's adoption is its share of the installs that
 * started the app on that day in the same environment.
 */
export async function listStability(
  { db }: Pick<AppContext, 'db'>,
  applicationId: number,
  { version, environment }: StabilityQuery,
): Promise<Stability[]> {
  const chosen = environment ?? (await findBusiestEnvironment(db, applicationId))
  const rows = await listSessionDays(db, applicationId, chosen === 'all' ? undefined : chosen)
  const totals = new Map<string, number>()
  for (const [key, ofDay] of Map.groupBy(rows, toDayKey)) {
    let all = createSketch()
    for (const { started_sketch: sketch } of ofDay) all = mergeSketches(all, readSketch(sketch))
    totals.set(key, countInstalls(all).count)
  }
  const isAsked = (row: (typeof rows)[number]) =>
    version === undefined || row.version === version || row.short_version === version
  return rows.filter(isAsked).map((row) => {
    const started = countInstalls(readSketch(row.started_sketch)).count
    const crashed = countInstalls(readSketch(row.crashed_sketch)).count
    const total = totals.get(toDayKey(row)) ?? 0
    return {
      date: toDate(row.day),
      environment: row.environment,
      ...toRelease(row),
      startedCount: row.started_count,
      crashedCount: row.crashed_count,
      crashFreeRate: toCrashFree(row.crashed_count, row.started_count),
      startedInstallCount: started,
      crashedInstallCount: crashed,
      crashFreeInstallRate: toCrashFree(crashed, started),
      adoptionRate: total === 0 ? null : Math.min(1, started / total),
    }
  })
}

function toDayKey({ day, environment }: { day: number; environment: string }): string {
  return `${day} ${environment}`
}

export function toCrashFree(crashed: number, started: number): number | null {
  return started === 0 ? null : Math.max(0, 1 - crashed / started)
}
