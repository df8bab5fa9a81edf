/** The names of a class: its class line and the comments between that line and the first member. */
import type { TextRange } from '../bytes/text-range.ts'
import { findClassLine } from './class-line.ts'
import type { MapVersion } from './map-version.ts'
import { findNote, findFileNameFast, parseNote } from './mapping-note.ts'

export interface ClassMapping {
  /** The index of the class in the mapping. */
  readonly number: number
  readonly original: string
  readonly obfuscated: string
  readonly fileName: string | undefined
}

/** Only so many comments above the first member are read. */
const maxNotes = 100

/** Parses a class line and the comments below it; returns `undefined` if `text` does not begin with a class line. */
export function parseClassMapping(number: number, text: TextRange, version: MapVersion): ClassMapping | undefined {
  const { bytes } = text
  const end = bytes.indexOf(0x0a, text.start)
  const line = findClassLine(bytes, text.start, end)
  if (!line) return undefined
  return {
    number,
    original: bytes.toString('utf8', line.originalStart, line.originalEnd),
    obfuscated: bytes.toString('utf8', line.obfuscatedStart, line.obfuscatedEnd),
    fileName: findFileName(text, end + 1, version),
  }
}

function findFileName({ bytes, end: textEnd }: TextRange, start: number, version: MapVersion): string | undefined {
  let at = start
  for (let notes = 0; notes < maxNotes && at < textEnd; notes++) {
    const end = bytes.indexOf(0x0a, at)
    if (end === -1 || end >= textEnd) return undefined
    const line = bytes.toString('utf8', at, Math.min(end, at + 10_000)).trim()
    if (line !== '' && !line.startsWith('#')) return undefined
    const json = findNote(line)
    const plain = json === undefined ? undefined : findFileNameFast(json)
    if (plain !== undefined) return plain
    const note = json === undefined ? undefined : parseNote(json, version)
    if (typeof note === 'object' && note.kind === 'sourceFile') return note.fileName
    at = end + 1
  }
  return undefined
}
