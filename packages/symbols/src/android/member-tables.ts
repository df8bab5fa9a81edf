/**
 * Where in the text of a class the lines of its members stand, so that those of one name are found at once. The tables
 * of all classes asked for share one array, which begins anew when it is full: there are too many of them for an object
 * each.
 *
 *     u32         number of runs, which are neighbouring lines of one renamed name
 *     u32         number of lines, comments left out
 *     u32 × runs  hash of the name (of what stands behind the last space or arrow of the line)
 *     u32 × runs  number of the first line of the run
 *     u32 × lines where the line starts in the text of the class, and `hasNotes` where other text follows the line
 */
import { hashName, hashText } from './index-format.ts'
import type { TextRange } from './index-file.ts'
import { NumberList } from './number-list.ts'

/** In the number of a line. The text of a class is far shorter. */
const hasNotes = 0x8000_0000

const newline = 0x0a
const space = 0x20
const tab = 0x09

/** The table of one class, until the next is asked for. */
export class MemberTable {
  readonly runCount: number
  readonly lineCount: number
  readonly #numbers: Uint32Array
  readonly #runs: number
  readonly #lines: number

  constructor(numbers: Uint32Array, start: number) {
    this.#numbers = numbers
    this.runCount = numbers[start] ?? 0
    this.lineCount = numbers[start + 1] ?? 0
    this.#runs = start + 2
    this.#lines = start + 2 + 2 * this.runCount
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
    return line < this.lineCount ? ((this.#numbers[this.#lines + line] ?? 0) & ~hasNotes) >>> 0 : undefined
  }

  hasNotes(line: number): boolean {
    return (this.#numbers[this.#lines + line] ?? 0) >= hasNotes
  }
}

/** The hash that the lines of that renamed name have in the table. `<init>` ends as an arrow does: it is that of nothing. */
export function hashMember(renamed: string): number {
  return hashText(renamed.slice(renamed.lastIndexOf('>') + 1))
}

export class MemberTables {
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
  get(number: number, text: TextRange): MemberTable {
    const start = this.#starts[number] ?? 0
    if (start > 0) return new MemberTable(this.#numbers, start - 1)
    this.#readLines(text)
    const parts = [this.#hashes, this.#firstLines, this.#lines]
    const length = 2 + this.#hashes.length * 2 + this.#lines.length
    // One beyond all measure is not kept.
    const isKept = length <= this.#limit
    const numbers = isKept ? this.#makeRoom(length) : new Uint32Array(length)
    const tableStart = isKept ? this.#length : 0
    numbers[tableStart] = this.#hashes.length
    numbers[tableStart + 1] = this.#lines.length
    let at = tableStart + 2
    for (const part of parts) {
      numbers.set(part.toArray(), at)
      at += part.length
    }
    if (isKept) {
      this.#starts[number] = tableStart + 1
      this.#length = at
    }
    return new MemberTable(numbers, tableStart)
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
    let at = start
    while (at < end && bytes[at] !== newline) at++
    at++
    while (at < end) at = this.#readLine(bytes, at, start, end)
  }

  /** The place where the next line starts. */
  #readLine(bytes: Buffer, start: number, classStart: number, end: number): number {
    let first = start
    while (first < end && (bytes[first] === space || bytes[first] === tab)) first++
    let name = first
    let at = first
    for (; at < end; at++) {
      const byte = bytes[at]
      if (byte === newline) break
      if (byte === space || byte === tab || byte === 0x3e) name = at + 1
    }
    if (first === at || bytes[first] === 0x23) {
      if (this.#lines.length > 0) this.#lines.markLast(hasNotes)
      return at + 1
    }
    const hash = hashName(bytes, name, at)
    const runs = this.#hashes.length
    if (runs === 0 || this.#hashes.get(runs - 1) !== hash) {
      this.#hashes.push(hash)
      this.#firstLines.push(this.#lines.length)
    }
    this.#lines.push(start - classStart)
    return at + 1
  }
}
