/**
 * The file that positions of a source map are looked up in. All numbers are little-endian.
 *
 *   magic "FLSM", version (u32)
 *   pages         segments of the map, in the order of their generated position
 *   directory     for each page: first generated line and column, offset in the file, number of segments (u32 each)
 *   sources       for each source: its string + 1 or 0 for none, its first function entry (u32 each); one row more
 *   functions     for each entry: line from 1, column from 0, the string of its name + 1 or 0 (u32 each)
 *   offsets       for each string, where it begins in `strings` (u32); one more for the end
 *   strings       UTF-8
 *   texts         the text of each source that has one, compressed by zstd, one after the other
 *   contents      for each source: offset in the file and length of its text, or 0 and 0 (u32 each)
 *   modules       for each module of a RAM bundle, the line that it begins in (u32), or `noModule`
 *   footer        JSON: a `Footer`
 *   length of the footer (u32), magic "FLSM"
 *
 * A page holds six columns of numbers: generated line, generated column, source + 1 (0 says that there is nothing
 * here), line from 0, column from 0, name + 1 (0 for none). It begins with the width of each column in bytes, 0, 1, 2
 * or 4, and two bytes of padding; then come the least numbers of the columns (u32 each), then the columns as
 * differences from those, each padded to four bytes. So a number is found without decoding others, and a page of one
 * line or one source needs no byte for it.
 *
 * Of segments with one generated position the first and the last are kept, because searches find no others. A segment
 * that says the same as the one before it is left out.
 */
import { SymbolsError } from '../symbols-error.ts'

export const magic = 0x4d534c46
export const formatVersion = 1
export const headerBytes = 8
export const tailBytes = 8
export const directoryRow = 4
export const sourceRow = 2
export const contentRow = 2
export const functionRow = 3
export const columnsOfPage = 6
/** Bytes before the columns of a page. */
export const pageHeadBytes = 8 + columnsOfPage * 4
export const segmentsOfPage = 2048
export const noModule = 0xffffffff

/** A part of the file: its offset in bytes and its length in numbers or, for `strings`, in bytes. */
export interface Part {
  offset: number
  length: number
}

export interface Footer {
  directory: Part
  sources: Part
  functions: Part
  offsets: Part
  strings: Part
  /** Files of former versions have none. */
  contents?: Part
  /** The bundle itself and further segments of it, each with pages and modules of its own. */
  bundles: BundlePart[]
}

export interface BundlePart {
  /** The number of the segment in the names of its files; 0 is the bundle itself. */
  segment: number
  firstPage: number
  endPage: number
  modules: Part
}

export function damaged(cause?: unknown): SymbolsError {
  return new SymbolsError('malformed-lookup', 'It is no lookup file of a source map.', { cause })
}
