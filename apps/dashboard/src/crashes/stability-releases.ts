import type { Stability } from '@fairlead/contract'
import { compareNewestFirst } from './release-order.ts'
import { toReleaseText } from './release-text.ts'
import { type StabilityDay, sumSessions } from './stability-days.ts'

export interface ReleaseStability {
  /** The release as it is shown. Packages of one version are one release. */
  name: string
  version: string | null
  shortVersion: string | null
  started: number
  crashed: number
  rate: number | null
  /** The sessions that crashed on each of the days. */
  crashedByDay: readonly number[]
}

/** Sums the sessions of each release over the days, the newest release first. */
export function sumReleases(days: readonly StabilityDay[]): ReleaseStability[] {
  const rows = days.flatMap((day) => day.rows).toSorted(compareNewestFirst)
  return [...Map.groupBy(rows, toReleaseText)].map(([name, ofRelease]) => ({
    name,
    version: ofRelease[0]?.version ?? null,
    shortVersion: ofRelease[0]?.shortVersion ?? null,
    ...sumSessions(ofRelease),
    crashedByDay: days.map(({ date }) => sumCrashed(ofRelease, date)),
  }))
}

function sumCrashed(rows: readonly Stability[], date: string): number {
  return sumSessions(rows.filter((row) => row.date === date)).crashed
}
