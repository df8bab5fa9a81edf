import { outOfRange } from '@fairlead/invariant'
import { readDigits, skipNumber } from '../bytes/digits.ts'
import { hashName } from '../bytes/hash-name.ts'
import { NumberList } from '../bytes/number-list.ts'
import { startsWithAscii } from '../bytes/starts-with-ascii.ts'
import type { TextRange } from '../bytes/text-range.ts'
import type { MapVersion } from '../mapping/map-version.ts'
import { findClassNames } from './class-names.ts'
import {
  ClassTable,
  hasNotes,
  isField,
  isSynthesized,
  namesAt,
  noNumber,
  numbersPerLine,
  placeBits,
  runsAt,
} from './class-table.ts'

const synthesizedNote = '# {"id":"com.android.tools.r8.synthesized"}'
const newline = 0x0a

export class ClassTableCache {
  readonly #limit: number
  /** The operating system provides pages of this array only when they are first written. */
  readonly #numbers: Uint32Array
  #length = 0
  /** For each class, the offset of its table in the array plus one; 0 if it has none. */
  readonly #starts: Uint32Array
  readonly #hashes = new NumberList()
  readonly #firstLines = new NumberList()
  readonly #lines = new NumberList()

  /** Creates a cache for `classCount` classes that keeps up to `maxBytes` of tables. */
  constructor(classCount: number, maxBytes: number) {
    this.#limit = Math.ceil(maxBytes / 4)
    this.#numbers = new Uint32Array(this.#limit)
    this.#starts = new Uint32Array(classCount)
  }

  /** Returns the table of a class and builds it from the text if necessary. The next call may overwrite it. */
  get(number: number, text: TextRange, version: MapVersion): ClassTable {
    const start = this.#starts[number] ?? outOfRange()
    return start > 0 ? new ClassTable(this.#numbers, start - 1) : this.#add(number, text, version)
  }

  #add(number: number, text: TextRange, version: MapVersion): ClassTable {
    this.#readLines(text)
    const length = runsAt + this.#hashes.length * 2 + this.#lines.length
    // A table that is larger than the whole cache is not kept.
    const isKept = length <= this.#limit
    const numbers = isKept ? this.#makeRoom(length) : new Uint32Array(length)
    const start = isKept ? this.#length : 0
    numbers[start] = this.#hashes.length
    numbers[start + 1] = this.#lines.length / numbersPerLine
    findClassNames(text, version, numbers.subarray(start + namesAt, start + runsAt))
    let at = start + runsAt
    for (const part of [this.#hashes, this.#firstLines, this.#lines]) {
      numbers.set(part.toArray(), at)
      at += part.length
    }
    if (isKept) {
      this.#starts[number] = start + 1
      this.#length = at
    }
    return new ClassTable(numbers, start)
  }

  #makeRoom(length: number): Uint32Array {
    if (this.#length + length > this.#limit) {
      this.#starts.fill(0)
      this.#length = 0
    }
    return this.#numbers
  }

  /** Collects the member lines of a class. The first line of the text is the class line. */
  #readLines({ bytes, start, end }: TextRange): void {
    this.#hashes.length = 0
    this.#firstLines.length = 0
    this.#lines.length = 0
    let lineEnd = bytes.indexOf(newline, start)
    while (lineEnd !== -1 && lineEnd + 1 < end) {
      const lineStart = lineEnd + 1
      lineEnd = bytes.indexOf(newline, lineStart)
      this.#readLine(bytes, lineStart, lineEnd === -1 || lineEnd > end ? end : lineEnd, start)
    }
  }

  #readLine(bytes: Buffer, start: number, end: number, classStart: number): void {
    let first = start
    while (first < end && isBlank(bytes[first])) first++
    if (first === end || bytes[first] === 0x23) {
      this.#addNote(bytes, first, end)
      return
    }
    let name = end
    while (name > first && !isBlank(bytes[name - 1]) && bytes[name - 1] !== 0x3e) name--
    this.#addLine(bytes, first, end, start - classStart, hashName(bytes, name, end))
  }

  #addLine(bytes: Buffer, first: number, end: number, place: number, hash: number): void {
    const runs = this.#hashes.length
    if (runs === 0 || this.#hashes.get(runs - 1) !== hash) {
      this.#hashes.push(hash)
      this.#firstLines.push(this.#lines.length / numbersPerLine)
    }
    const fromEnd = skipNumber(bytes, first)
    this.#lines.push(fromEnd === -1 && !hasParameters(bytes, first, end) ? place | isField : place)
    const toEnd = fromEnd === -1 ? -1 : skipNumber(bytes, fromEnd)
    this.#lines.push(fromEnd === -1 ? noNumber : readDigits(bytes, first, fromEnd - 1))
    this.#lines.push(toEnd === -1 ? noNumber : readDigits(bytes, fromEnd, toEnd - 1))
  }

  /** Records that the last added line is followed by a comment or an empty line. */
  #addNote(bytes: Buffer, first: number, end: number): void {
    const line = this.#lines.length - numbersPerLine
    if (line < 0) return
    const place = this.#lines.get(line)
    const isOnly = place < hasNotes && isSynthesizedNote(bytes, first, end)
    this.#lines.set(line, ((place & (placeBits | isField)) | hasNotes | (isOnly ? isSynthesized : 0)) >>> 0)
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09
}

function isSynthesizedNote(bytes: Buffer, start: number, end: number): boolean {
  return end - start === synthesizedNote.length && startsWithAscii(bytes, start, synthesizedNote)
}

function hasParameters(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === 0x28) return true
  return false
}
