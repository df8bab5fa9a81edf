/**
 * A short way to the ranges of a line, for most frames: when no note describes any line of the name, and the ranges
 * that hold the line are one stack, the other ranges of the name have no say, and need not be read beyond their
 * numbers. Notes that a method was made by the compiler are taken along, because they are many: such a note is of all
 * methods of the name with the same types. All else takes the long way.
 */
import { skipNumber } from '../bytes/digits.ts'
import { NumberList } from '../bytes/number-list.ts'
import type { TextRange } from '../bytes/text-range.ts'
import { type MapVersion, mapVersions } from '../mapping/map-version.ts'
import { type ClassTable, noNumber } from './class-table.ts'
import { FastMethodLine } from './fast-method-line.ts'
import { type MappedRange, toRange } from './member-mapping.ts'

const maxStack = 64

/** The ranges of one line, used again for the next: nothing is made for a frame. */
export class SingleStack {
  /** How many of `methods` are of the stack, innermost first. */
  length = 0
  readonly methods: FastMethodLine[] = []
  /** The lines of the obfuscated program that all of them are of. */
  from = 0
  to = 0
  /** Whether the compiler made the outermost. */
  synthesized = false
  /** Numbers of the lines with a note that the compiler made their method. */
  readonly #notedLines = new NumberList(16)
  readonly #other = new FastMethodLine()
  readonly #last = new FastMethodLine()

  /** Finds the ranges that hold `line`; `false` where it takes the long way to tell, or where there are none. */
  find(
    text: TextRange,
    table: ClassTable,
    renamed: TextRange,
    hash: number,
    line: number,
    version: MapVersion,
  ): boolean {
    this.length = 0
    this.synthesized = false
    this.#notedLines.length = 0
    let isOpen = false
    // The lines of the method that the compiler made, when its note stood between them and their callers.
    let notedFrom = -1
    let notedTo = -1
    // The line that ends the first stack, and the last line.
    let first = -1
    let last = -1
    let firstFrom = -1
    let firstTo = -1
    let isAllRanges = true
    for (let run = table.findRun(hash, 0); run < table.runCount; run = table.findRun(hash, run + 1)) {
      const end = table.firstLineOf(run + 1)
      notedFrom = -1
      for (let number = table.firstLineOf(run); number < end; number++) {
        const noted = table.hasNotes(number)
        const from = table.fromOf(number)
        // A line of no range: a method's would matter only if no range held the line.
        if (from === noNumber) {
          if (noted) return false
          isOpen = false
          isAllRanges &&= table.isField(number)
          notedFrom = -1
          continue
        }
        const to = table.toOf(number)
        // A note before a caller would be of the caller too.
        if (to === noNumber || to < from || (from === notedFrom && to === notedTo)) return false
        notedFrom = -1
        if (noted) {
          if (version < mapVersions.v1_0 || !table.isSynthesized(number)) return false
          if (!this.#other.read(text.bytes, findRangeEnd(text, table, number), renamed)) return false
          this.#notedLines.push(number)
          notedFrom = from
          notedTo = to
        }
        if (first === -1) {
          firstFrom = from
          firstTo = to
        }
        if (first === last && from === firstFrom && to === firstTo) first = number
        last = number
        const holds = from <= line && line <= to
        if (!isOpen || from !== this.from || to !== this.to) {
          if (holds && this.length > 0) return false
          isOpen = holds
          if (!holds) continue
          this.from = from
          this.to = to
        }
        if (this.length === maxStack) return false
        const method = (this.methods[this.length++] ??= new FastMethodLine())
        if (!method.read(text.bytes, findRangeEnd(text, table, number), renamed)) return false
      }
    }
    if (this.length === 0) return false
    return this.#notedLines.length === 0 || (isAllRanges && this.#applyNotes(text, table, renamed, first, last))
  }

  toRanges({ bytes }: TextRange, renamed: string): MappedRange[] {
    const minified = { from: this.from, to: this.to, cardinal: false }
    const ranges = this.methods
      .slice(0, this.length)
      .map((method) => toRange({ minified, original: method.original, signature: method.toSignature(bytes), renamed }))
    const outermost = ranges.at(-1)
    if (outermost) outermost.synthesized = this.synthesized
    return ranges
  }

  #applyNotes(text: TextRange, table: ClassTable, renamed: TextRange, firstLine: number, lastLine: number): boolean {
    const { bytes } = text
    const other = this.#other
    const last = this.#last
    const outermost = this.methods[this.length - 1]
    if (!outermost || !other.read(bytes, findRangeEnd(text, table, firstLine), renamed)) return false
    if (!last.read(bytes, findRangeEnd(text, table, lastLine), renamed)) return false
    // Where the first method is the last as well, R8 takes all between for one with it.
    const isOneMethod = areSameBytes(bytes, other.start, other.end, last.start, last.end)
    const deciding = isOneMethod ? last : outermost
    for (let place = 0; place < this.#notedLines.length && !this.synthesized; place++) {
      other.read(bytes, findRangeEnd(text, table, this.#notedLines.get(place)), renamed)
      this.synthesized =
        areSameBytes(bytes, other.start, other.typeEnd, deciding.start, deciding.typeEnd) &&
        areSameBytes(bytes, other.nameEnd, other.end, deciding.nameEnd, deciding.end)
    }
    return true
  }
}

/** The place behind the range in front of that line, which has one. */
function findRangeEnd({ bytes, start }: TextRange, table: ClassTable, line: number): number {
  let at = start + table.startOf(line)
  while (bytes[at] === 0x20 || bytes[at] === 0x09) at++
  return skipNumber(bytes, skipNumber(bytes, at))
}

function areSameBytes(bytes: Buffer, start: number, end: number, otherStart: number, otherEnd: number): boolean {
  if (end - start !== otherEnd - otherStart) return false
  for (let at = start, other = otherStart; at < end; at++, other++) if (bytes[at] !== bytes[other]) return false
  return true
}
