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
import { hashText } from '../bytes/hash-name.ts'

/** In the place of a line. The text of a class is far shorter. */
export const hasNotes = 0x8000_0000
export const isSynthesized = 0x4000_0000
export const isField = 0x2000_0000
export const placeBits = 0x1fff_ffff

/** In place of an end of a range. Those have up to nine digits. */
export const noNumber = 0xffff_ffff

export const numbersPerLine = 3

export const namesAt = 2
export const runsAt = 8

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
    this.runCount = numbers[start] as number
    this.lineCount = numbers[start + 1] as number
    this.#names = start + namesAt
    this.#runs = start + runsAt
    this.#lines = this.#runs + 2 * this.runCount
  }

  /** Whether the names are there. */
  get hasNames(): boolean {
    return this.originalEnd > 0
  }

  get originalStart(): number {
    return this.#numbers[this.#names] as number
  }

  get originalEnd(): number {
    return this.#numbers[this.#names + 1] as number
  }

  get obfuscatedStart(): number {
    return this.#numbers[this.#names + 2] as number
  }

  get obfuscatedEnd(): number {
    return this.#numbers[this.#names + 3] as number
  }

  get fileStart(): number {
    return this.#numbers[this.#names + 4] as number
  }

  get fileEnd(): number {
    return this.#numbers[this.#names + 5] as number
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
    return run < this.runCount ? (this.#numbers[this.#runs + this.runCount + run] as number) : this.lineCount
  }

  /** The offset of that line in the text of the class. Throws `RangeError` if the class has no such line. */
  startOf(line: number): number {
    if (line >= this.lineCount) throw new RangeError(`A class of ${this.lineCount} member lines has no line ${line}.`)
    return (this.#numbers[this.#lines + numbersPerLine * line] as number) & placeBits
  }

  hasNotes(line: number): boolean {
    return (this.#numbers[this.#lines + numbersPerLine * line] as number) >= hasNotes
  }

  /** Whether the one note of that line is that the compiler made the method. */
  isSynthesized(line: number): boolean {
    return ((this.#numbers[this.#lines + numbersPerLine * line] as number) & isSynthesized) !== 0
  }

  /** Whether that line has no range in front and no parameters. */
  isField(line: number): boolean {
    return ((this.#numbers[this.#lines + numbersPerLine * line] as number) & isField) !== 0
  }

  /** The ends of the range in front of that line. */
  fromOf(line: number): number {
    return this.#numbers[this.#lines + numbersPerLine * line + 1] as number
  }

  toOf(line: number): number {
    return this.#numbers[this.#lines + numbersPerLine * line + 2] as number
  }
}

/** The hash that the lines of that renamed name have in the table. `<init>` ends as an arrow does: it is that of nothing. */
export function hashMember(renamed: string): number {
  return hashText(renamed.slice(renamed.lastIndexOf('>') + 1))
}
