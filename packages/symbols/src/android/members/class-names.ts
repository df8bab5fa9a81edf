/** Where in the text of a class its names stand, where they are plain: in ASCII, and written as they are. */
import { startsWithAscii } from '../bytes/starts-with-ascii.ts'
import type { TextRange } from '../bytes/text-range.ts'
import { findClassLine } from '../mapping/class-line.ts'
import { parseClassMapping } from '../mapping/class-mapping.ts'
import type { MapVersion } from '../mapping/map-version.ts'
import { isNameByte } from '../mapping/name-code.ts'

const fileNote = '# {"id":"sourceFile","fileName":"'
const fileNoteEnd = '"}\n'
/** Of a name of a file; R8's are far shorter. */
const maxLength = 1000

const newline = 0x0a
const quote = 0x22
const backslash = 0x5c

/**
 * Writes start and end of the original name, the obfuscated name and the name of the source file to `places`, as places
 * in the text of the class. The file's are 0 where none is known, and all are where one is not plain.
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

/** The name of the source file, which mostly stands in the line at `at`; `undefined` where it is not plain. */
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
  for (let at = start; at < end; at++) if ((bytes[at] as number) >= 0x80) return false
  return true
}
