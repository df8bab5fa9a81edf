import type { CrashRelease } from '@fairlead/contract'
import type { SeriesColor } from '../charts/series-color.ts'
import { compareNewestFirst } from './release-order.ts'

const colors: readonly SeriesColor[] = [1, 2, 3, 4, 5]

/**
 * Gives the releases with the highest counts a colour each: the newest of them the first one, on all pages, so that a
 * release keeps its colour from chart to chart. The others are grey together.
 */
export function colorReleases<Release extends Pick<CrashRelease, 'version' | 'shortVersion'>>(
  releases: readonly Release[],
  countOf: (release: Release) => number,
): { release: Release; color: SeriesColor }[] {
  return releases
    .toSorted((one, other) => countOf(other) - countOf(one))
    .slice(0, colors.length)
    .toSorted(compareNewestFirst)
    .map((release, place) => ({ release, color: toReleaseColor(place) }))
}

/** The colour of a release by its place among the coloured ones, from the newest. */
export function toReleaseColor(place: number): SeriesColor {
  return colors[place] ?? otherReleases
}

/** The colour of all releases that have none of their own. */
export const otherReleases: SeriesColor = 6
