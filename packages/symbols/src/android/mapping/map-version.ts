/**
 * The version of R8's map format. A version comment in the mapping applies to the lines after it. Each kind of note was
 * introduced by some version; in a mapping of an earlier version it counts as an ordinary comment.
 */

/** In the order in which R8 introduced them. The index file stores the index in this list. */
const names = ['none', '1.0', '2.0', '2.1', '2.2', 'experimental'] as const

/** 0 none, 1 for 1.0, 2 for 2.0, 3 for 2.1, 4 for 2.2, 5 experimental, 255 unknown (treated as the newest). */
export type MapVersion = number

export const mapVersions = { none: 0, v1_0: 1, v2_0: 2, v2_1: 3, v2_2: 4, unknown: 255 } as const

/** Parses the name of a version. An experimental mapping counts as one without a version, as in R8's retrace. */
export function parseMapVersion(name: string): MapVersion {
  const place = (names as readonly string[]).indexOf(name)
  if (place === -1) return mapVersions.unknown
  return names[place] === 'experimental' ? mapVersions.none : place
}
