/** Finds where in the text of a class its names are, if they are ASCII and written without escapes. */
import { outOfRange } from '@fairlead/invariant'
import { startsWithAscii } from '../bytes/starts-with-ascii.ts'
import type { TextRange } from '../bytes/text-range.ts'
import { findClassLine } from '../mapping/class-line.ts'
import { parseClassMapping } from '../mapping/class-mapping.ts'
import type { MapVersion } from '../mapping/map-version.ts'
import { isNameByte } from '../mapping/name-code.ts'

const fileNote = '# {"id":"sourceFile","fileName":"'
const fileNoteEnd = '"}\n'
/** The longest file name that is read without the JSON parser, in bytes. */
const maxLength = 1000

const newline = 0x0a
const quote = 0x22
const backslash = 0x5c

/**
 * Writes six offsets into `places`: start and end of the original name, of the obfuscated name and of the source file
 * name. The last two are 0 if the mapping names no file. All six are 0 if one of the names is not plain ASCII.
 */
export function findClassNames(text: TextRange, version: MapVersion, places: Uint32Array): void {
  places.fill(0)
  const { bytes, start } = text
  const end = bytes.indexOf(newline, start)
  const line = findClassLine(bytes, start, end)
  if (!line || !isAscii(bytes, start, end)) return
  const file = findFile(text, end + 1, version)
  if (file === undefined) return
  places[0] = line.originalStart - start
  places[1] = line.originalEnd - start
  places[2] = line.obfuscatedStart - start
  places[3] = line.obfuscatedEnd - start
  if (file.end === file.start) return
  places[4] = file.start - start
  places[5] = file.end - start
}

interface Span {
  readonly start: number
  readonly end: number
}

const none: Span = { start: 0, end: 0 }

/**
 * Finds the source file name, which nearly always is in the line at `at`; returns `undefined` if it is not plain ASCII.
 */
function findFile(text: TextRange, at: number, version: MapVersion): Span | undefined {
  const { bytes } = text
  if (at < text.end && startsWithAscii(bytes, at, fileNote)) {
    const start = at + fileNote.length
    let end = start
    while (isUnescaped(bytes[end]) && end - start < maxLength) end++
    if (end > start && startsWithAscii(bytes, end, fileNoteEnd)) return { start, end }
  }
  if (at >= text.end || startsMember(bytes, at)) return none
  const fileName = parseClassMapping(0, text, version)?.fileName
  if (fileName === undefined) return none
  const start = fileName === '' ? -1 : bytes.indexOf(fileName, at)
  const end = start + fileName.length
  return start !== -1 && end <= text.end && isAscii(bytes, start, end) ? { start, end } : undefined
}

function startsMember(bytes: Buffer, start: number): boolean {
  let at = start
  while (bytes[at] === 0x20) at++
  return isNameByte(bytes[at])
}

function isUnescaped(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x20 && byte < 0x80 && byte !== quote && byte !== backslash
}

function isAscii(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if ((bytes[at] ?? outOfRange()) >= 0x80) return false
  return true
}
