import type { PagedBytes } from './paged-bytes.ts'

/**
 * Where a name stands, as one number: section × 2^32 + offset. Names are not read while entries are walked, only their places are kept;
 * most of them are asked for again and again, and many never.
 */
export type NamePlace = number

export const noName: NamePlace = 0
const sectionSize = 2 ** 32
export const Section = { strings: 1, lineStrings: 2, entries: 3, symbolStrings: 4 } as const

/** No function has a longer name; a longer string is cut. */
const longestName = 64 * 1024

export function toNamePlace(section: (typeof Section)[keyof typeof Section], offset: number): NamePlace {
  return section * sectionSize + offset
}

/** The section and the offset of a place that is not `noName`. */
export function splitPlace(place: NamePlace): { section: number; offset: number } {
  return { section: Math.floor(place / sectionSize), offset: place % sectionSize }
}

/** Gives the bytes of a name to `take`; nothing where its place is outside of the section. */
export function withName(
  sections: readonly (PagedBytes | undefined)[],
  place: NamePlace,
  take: (bytes: Buffer, start: number, end: number) => void,
): void {
  const { section, offset } = splitPlace(place)
  sections[section]?.withString(offset, longestName, take)
}
