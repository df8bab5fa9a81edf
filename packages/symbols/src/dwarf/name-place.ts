import type { PagedBytes } from './paged-bytes.ts'

/**
 * The place of a name as one number: section × 2^32 + offset. While entries are walked, only places are kept, because
 * most names occur many times and many are never asked for.
 */
export type NamePlace = number

export const noName: NamePlace = 0
const sectionSize = 2 ** 32
export const Section = { strings: 1, lineStrings: 2, entries: 3, symbolStrings: 4 } as const

/** The longest name in bytes; longer strings are cut. */
const longestName = 64 * 1024

export function toNamePlace(section: (typeof Section)[keyof typeof Section], offset: number): NamePlace {
  return section * sectionSize + offset
}

/** Splits a place other than `noName` into its section and offset. */
export function splitPlace(place: NamePlace): { section: number; offset: number } {
  return { section: Math.floor(place / sectionSize), offset: place % sectionSize }
}

/** Passes the bytes of a name to `take`, or does not call it if the place is outside of the section. */
export function withName(
  sections: readonly (PagedBytes | undefined)[],
  place: NamePlace,
  take: (bytes: Buffer, start: number, end: number) => void,
): void {
  const { section, offset } = splitPlace(place)
  sections[section]?.withString(offset, longestName, take)
}
