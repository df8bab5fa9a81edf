/**
 * Where in the text of a class its names and the lines of its members stand, so that those of one name are found at
 * once. The tables of all classes asked for share one array, which begins anew when it is full: there are too many of
 * them for an object each. All places are in the text of the class.
 *
 *     u32         number of runs, which are neighbouring lines of one renamed name
 *     u32         number of lines, comments left out
 *     u32 × 6     start and end of the original name, of the obfuscated name and of the name of the source file, which
 *                 is empty where none is known; the first is empty where a name is not plain: see class-names.ts
 *     u32 × runs  hash of the name (of what stands behind the last space or arrow of the line)
 *     u32 × runs  number of the first line of the run
 *     u32 × 3 × lines
 *                 where the line starts, with `hasNotes` where other text follows it, and `isSynthesized` where all of
 *                 that is the note that the compiler made the method;
 *                 `isField` where it is none of a method
 *                 the two ends of the range in front; `noNumber` for one that is not there
 */
import { findClassNames } from './class-names.ts'
import { hashName, hashText } from '../index/index-format.ts'
import type { TextRange } from '../index/index-file.ts'
import type { MapVersion } from '../mapping/map-version.ts'
import { NumberList } from '../bytes/number-list.ts'
import { readDigits, skipDigits } from './fast-method.ts'

/** In the place of a line. The text of a class is far shorter. */
const hasNotes = 0x8000_0000
const isSynthesized = 0x4000_0000
const isField = 0x2000_0000
const placeBits = 0x1fff_ffff

/** In place of an end of a range. Those have up to nine digits. */
export const noNumber = 0xffff_ffff

const numbersPerLine = 3

const namesAt = 2
const runsAt = 8

const synthesizedNote = Buffer.from('# {"id":"com.android.tools.r8.synthesized"}')
const newline = 0x0a
const colon = 0x3a

/** The table of one class, until the next is asked for. */
export class ClassTable {
  readonly runCount: number
  readonly lineCount: number
  readonly #numbers: Uint32Array
  readonly #names: number
  readonly #runs: number
  readonly #lines: number

  constructor(numbers: Uint32Array, start: number) {
    this.#numbers = numbers
    this.runCount = numbers[start] ?? 0
    this.lineCount = numbers[start + 1] ?? 0
    this.#names = start + namesAt
    this.#runs = start + runsAt
    this.#lines = this.#runs + 2 * this.runCount
  }

  /** Whether the names are there. */
  get isPlain(): boolean {
    return this.originalEnd > 0
  }

  get originalStart(): number {
    return this.#numbers[this.#names] ?? 0
  }

  get originalEnd(): number {
    return this.#numbers[this.#names + 1] ?? 0
  }

  get obfuscatedStart(): number {
    return this.#numbers[this.#names + 2] ?? 0
  }

  get obfuscatedEnd(): number {
    return this.#numbers[this.#names + 3] ?? 0
  }

  get fileStart(): number {
    return this.#numbers[this.#names + 4] ?? 0
  }

  get fileEnd(): number {
    return this.#numbers[this.#names + 5] ?? 0
  }

  /** The first run from `run` on whose lines may be of the name with that hash; `runCount` where there is none. */
  findRun(hash: number, run: number): number {
    const numbers = this.#numbers
    const end = this.#runs + this.runCount
    let at = this.#runs + run
    while (at < end && numbers[at] !== hash) at++
    return at - this.#runs
  }

  /** The first line of that run; behind the last run, the number of all lines. */
  firstLineOf(run: number): number {
    return run < this.runCount ? (this.#numbers[this.#runs + this.runCount + run] ?? 0) : this.lineCount
  }

  /** Where that line starts in the text of the class; `undefined` behind the last. */
  startOf(line: number): number | undefined {
    return line < this.lineCount ? (this.#numbers[this.#lines + numbersPerLine * line] ?? 0) & placeBits : undefined
  }

  hasNotes(line: number): boolean {
    return (this.#numbers[this.#lines + numbersPerLine * line] ?? 0) >= hasNotes
  }

  /** Whether the one note of that line is that the compiler made the method. */
  isSynthesized(line: number): boolean {
    return ((this.#numbers[this.#lines + numbersPerLine * line] ?? 0) & isSynthesized) !== 0
  }

  /** Whether that line has no range in front and no parameters. */
  isField(line: number): boolean {
    return ((this.#numbers[this.#lines + numbersPerLine * line] ?? 0) & isField) !== 0
  }

  /** The ends of the range in front of that line. */
  fromOf(line: number): number {
    return this.#numbers[this.#lines + numbersPerLine * line + 1] ?? noNumber
  }

  toOf(line: number): number {
    return this.#numbers[this.#lines + numbersPerLine * line + 2] ?? noNumber
  }
}

/** The hash that the lines of that renamed name have in the table. `<init>` ends as an arrow does: it is that of nothing. */
export function hashMember(renamed: string): number {
  return hashText(renamed.slice(renamed.lastIndexOf('>') + 1))
}

export class ClassTables {
  readonly #limit: number
  /** Takes no memory where nothing was written yet. */
  readonly #numbers: Uint32Array
  #length = 0
  /** One more than where the table of each class starts; 0 where there is none. */
  readonly #starts: Uint32Array
  readonly #hashes = new NumberList()
  readonly #firstLines = new NumberList()
  readonly #lines = new NumberList()

  /** Tables of `classCount` classes, kept up to so many bytes. */
  constructor(classCount: number, maxBytes: number) {
    this.#limit = Math.ceil(maxBytes / 4)
    this.#numbers = new Uint32Array(this.#limit)
    this.#starts = new Uint32Array(classCount)
  }

  /** The table of that class, made from its text unless it is there. */
  get(number: number, text: TextRange, version: MapVersion): ClassTable {
    const start = this.#starts[number] ?? 0
    return start > 0 ? new ClassTable(this.#numbers, start - 1) : this.#add(number, text, version)
  }

  #add(number: number, text: TextRange, version: MapVersion): ClassTable {
    this.#readLines(text)
    const length = runsAt + this.#hashes.length * 2 + this.#lines.length
    // One beyond all measure is not kept.
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

  /** Reads the lines of a class, the first of which is that of the class itself. */
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

  /** Takes note of a comment or an empty line behind the line that was added last. */
  #addNote(bytes: Buffer, first: number, end: number): void {
    const line = this.#lines.length - numbersPerLine
    if (line < 0) return
    const place = this.#lines.get(line) ?? 0
    const isOnly = place < hasNotes && isSynthesizedNote(bytes, first, end)
    this.#lines.set(line, ((place & (placeBits | isField)) | hasNotes | (isOnly ? isSynthesized : 0)) >>> 0)
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09
}

function isSynthesizedNote(bytes: Buffer, start: number, end: number): boolean {
  if (end - start !== synthesizedNote.length) return false
  for (let place = 0; place < synthesizedNote.length; place++) {
    if (bytes[start + place] !== synthesizedNote[place]) return false
  }
  return true
}

function hasParameters(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === 0x28) return true
  return false
}

/** The place behind up to nine digits and a colon; -1 where they are not there. */
export function skipNumber(bytes: Uint8Array, start: number): number {
  const end = skipDigits(bytes, start)
  return end !== -1 && bytes[end] === colon ? end + 1 : -1
}
