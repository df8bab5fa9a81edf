/** Where in the text of a class the lines of its members stand, so that those of one name are found at once. */
import { hashName, hashText } from './index-format.ts'
import type { TextRange } from './index-file.ts'
import { NumberList } from './number-list.ts'

/**
 * The number of runs, which are neighbouring lines of one renamed name; two numbers for each run, the hash of the name
 * (of what stands behind the last space or arrow of the line) and the number of its first line; one for each line that
 * is no comment: where it starts in the text of the class, and `hasNotes` added where other text follows the line.
 */
export type MemberTable = Uint32Array

/** In the number of a line. The text of a class is far shorter. */
export const hasNotes = 0x8000_0000

const newline = 0x0a
const space = 0x20
const tab = 0x09

/** Number of lines in the table. */
export function countLines(table: MemberTable): number {
  return table.length - 1 - 2 * (table[0] ?? 0)
}

/** Where that line starts in the text of the class; `undefined` behind the last. */
export function startOfLine(table: MemberTable, line: number): number | undefined {
  const number = table[1 + 2 * (table[0] ?? 0) + line]
  return number === undefined ? undefined : (number & ~hasNotes) >>> 0
}

/** The first run from `run` on whose lines may be of that name; the number of runs where there is none. */
export function findRun(table: MemberTable, hash: number, run: number): number {
  const count = table[0] ?? 0
  let at = run
  while (at < count && table[1 + 2 * at] !== hash) at++
  return at
}

/** The first line of that run; behind the last run, the number of all lines. */
export function firstLineOf(table: MemberTable, run: number): number {
  return run < (table[0] ?? 0) ? (table[2 + 2 * run] ?? 0) : countLines(table)
}

/** The hash that the lines of that renamed name have in the table. `<init>` ends as an arrow does: it is that of nothing. */
export function hashMember(renamed: string): number {
  return hashText(renamed.slice(renamed.lastIndexOf('>') + 1))
}

/** Makes tables, with room that is used again for each. */
export class MemberTableBuilder {
  readonly #runs = new NumberList()
  readonly #lines = new NumberList()

  /** Reads the places from the text of a class, whose first line is that of the class. */
  build({ bytes, start, end }: TextRange): MemberTable {
    this.#runs.length = 0
    this.#lines.length = 0
    let at = start
    while (at < end && bytes[at] !== newline) at++
    at++
    while (at < end) at = this.#addLine(bytes, at, start, end)
    const table = new Uint32Array(1 + this.#runs.length + this.#lines.length)
    table[0] = this.#runs.length / 2
    table.set(this.#runs.toArray(), 1)
    table.set(this.#lines.toArray(), 1 + this.#runs.length)
    return table
  }

  /** The place where the next line starts. */
  #addLine(bytes: Buffer, start: number, classStart: number, end: number): number {
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
    } else {
      const hash = hashName(bytes, name, at)
      const before = this.#runs.length - 2
      if (before < 0 || this.#runs.get(before) !== hash) {
        this.#runs.push(hash)
        this.#runs.push(this.#lines.length)
      }
      this.#lines.push(start - classStart)
    }
    return at + 1
  }
}
