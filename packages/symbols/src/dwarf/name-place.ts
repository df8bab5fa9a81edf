import type { PagedBytes } from './paged-bytes.ts'

/**
 * Where a name stands, as one number: section × 2^40 + offset. Names are not read while entries are walked, only their places are kept;
 * most of them are asked for again and again, and many never.
 */
export type NamePlace = number

export const noName: NamePlace = 0
const sectionSize = 2 ** 40
export const Section = { strings: 1, lineStrings: 2, entries: 3, symbolStrings: 4 } as const

/** No function has a longer name; a longer string is cut. */
const longestName = 64 * 1024

export function toNamePlace(section: (typeof Section)[keyof typeof Section], offset: number): NamePlace {
  return section * sectionSize + offset
}

/** Reads the bytes of a name; none where its place is outside of the section. */
export function readName(sections: readonly (PagedBytes | undefined)[], place: NamePlace): Uint8Array {
  const section = sections[Math.floor(place / sectionSize)]
  return section?.readString(place % sectionSize, longestName) ?? new Uint8Array(0)
}
