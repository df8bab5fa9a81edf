/**
 * The version of the map format that holds for the lines after it. Kinds of notes came with versions: a note of a
 * later version than the lines are in is a mere comment.
 */

/** In the order of their appearance; the place in this list is what the index file stores. */
const names = ['none', '1.0', '2.0', '2.1', '2.2', 'experimental'] as const

/** 0 none, 1 for 1.0, 2 for 2.0, 3 for 2.1, 4 for 2.2, 5 experimental, 255 unknown: taken for the newest. */
export type MapVersion = number

export const mapVersions = { none: 0, v1_0: 1, v2_0: 2, v2_1: 3, v2_2: 4, unknown: 255 } as const

/** The version of that name. R8's retrace reads an experimental mapping as one without a version, and so do we. */
export function parseMapVersion(name: string): MapVersion {
  const place = (names as readonly string[]).indexOf(name)
  if (place === -1) return mapVersions.unknown
  return names[place] === 'experimental' ? mapVersions.none : place
}
