/**
 * The table of a class tells where its names and member lines are in its text, so that the lines of one member are
 * found without a scan. The tables of all classes share one array of 32-bit integers, because there are too many for an
 * object each; the array is cleared when it is full. All offsets are relative to the text of the class.
 *
 *     u32         number of runs; a run is a group of neighbouring lines with the same obfuscated name
 *     u32         number of lines, without comments
 *     u32 × 6     start and end of the original name, the obfuscated name and the source file name (0 if unknown);
 *                 all are 0 if a name is not plain ASCII, see class-names.ts
 *     u32 × runs  hash of the obfuscated name (of what follows the last space or arrow of the line)
 *     u32 × runs  number of the first line of the run
 *     u32 × 3 × lines
 *                 offset of the line, with the flags `hasNotes` (comments follow), `isSynthesized` (the only
 *                 comment says that the compiler generated the method) and `isField` (the line describes no method);
 *                 both ends of the first range; `noNumber` for an end that is missing
 *
 * Every index below is computed from the counts in the table, so the element exists: hence `as number`. These are the
 * innermost loops of retracing, and a check on each read costs time.
 */
import { outOfRange } from '@fairlead/invariant'
import { hashText } from '../bytes/hash-name.ts'

/** Flags in the offset of a line. The text of a class is limited to 16 MiB, so its offsets leave these bits free. */
export const hasNotes = 0x8000_0000
export const isSynthesized = 0x4000_0000
export const isField = 0x2000_0000
export const placeBits = 0x1fff_ffff

/** Stands for a missing end of a range. Real ends have at most nine digits. */
export const noNumber = 0xffff_ffff

export const numbersPerLine = 3

export const namesAt = 2
export const runsAt = 8

/** A view of the table of one class. It is valid until the next table is requested. */
export class ClassTable {
  readonly runCount: number
  readonly lineCount: number
  readonly #numbers: Uint32Array
  readonly #names: number
  readonly #runs: number
  readonly #lines: number

  constructor(numbers: Uint32Array, start: number) {
    this.#numbers = numbers
    this.runCount = numbers[start] ?? outOfRange()
    this.lineCount = numbers[start + 1] ?? outOfRange()
    this.#names = start + namesAt
    this.#runs = start + runsAt
    this.#lines = this.#runs + 2 * this.runCount
  }

  /** Whether the offsets of the names are known. */
  get hasNames(): boolean {
    return this.originalEnd > 0
  }

  get originalStart(): number {
    return this.#numbers[this.#names] ?? outOfRange()
  }

  get originalEnd(): number {
    return this.#numbers[this.#names + 1] ?? outOfRange()
  }

  get obfuscatedStart(): number {
    return this.#numbers[this.#names + 2] ?? outOfRange()
  }

  get obfuscatedEnd(): number {
    return this.#numbers[this.#names + 3] ?? outOfRange()
  }

  get fileStart(): number {
    return this.#numbers[this.#names + 4] ?? outOfRange()
  }

  get fileEnd(): number {
    return this.#numbers[this.#names + 5] ?? outOfRange()
  }

  /** The first run, starting with `run`, whose lines may have the name with that hash; `runCount` if there is none. */
  findRun(hash: number, run: number): number {
    const numbers = this.#numbers
    const end = this.#runs + this.runCount
    let at = this.#runs + run
    while (at < end && numbers[at] !== hash) at++
    return at - this.#runs
  }

  /** The first line of a run; after the last run, the number of lines. */
  firstLineOf(run: number): number {
    return run < this.runCount ? (this.#numbers[this.#runs + this.runCount + run] ?? outOfRange()) : this.lineCount
  }

  /** The offset of a line in the text of the class. Throws `RangeError` if the class has no such line. */
  startOf(line: number): number {
    if (line >= this.lineCount)
      throw new RangeError(`Line ${line} is outside of a class with ${this.lineCount} member lines.`)
    return (this.#numbers[this.#lines + numbersPerLine * line] ?? outOfRange()) & placeBits
  }

  hasNotes(line: number): boolean {
    return (this.#numbers[this.#lines + numbersPerLine * line] ?? outOfRange()) >= hasNotes
  }

  /** Whether the only comment on that line says that the compiler generated the method. */
  isSynthesized(line: number): boolean {
    return ((this.#numbers[this.#lines + numbersPerLine * line] ?? outOfRange()) & isSynthesized) !== 0
  }

  /** Whether the line has neither a first range nor parameters. */
  isField(line: number): boolean {
    return ((this.#numbers[this.#lines + numbersPerLine * line] ?? outOfRange()) & isField) !== 0
  }

  /** Start and end of the first range of a line. */
  fromOf(line: number): number {
    return this.#numbers[this.#lines + numbersPerLine * line + 1] ?? outOfRange()
  }

  toOf(line: number): number {
    return this.#numbers[this.#lines + numbersPerLine * line + 2] ?? outOfRange()
  }
}

/**
 * The hash under which the table lists an obfuscated name. The table hashes what follows the last arrow, and `<init>`
 * ends like an arrow: its hash is that of the empty name.
 */
export function hashMember(obfuscated: string): number {
  return hashText(obfuscated.slice(obfuscated.lastIndexOf('>') + 1))
}
