/**
 * A fast way to find the ranges of a line, for most frames. It applies if no note describes a line with that name and
 * the ranges that contain the line form one inline stack. The other ranges of the name cannot matter then, and only
 * their numbers are read. Notes that the compiler generated a method are common and therefore supported: such a note
 * applies to all methods of that name with the same types. Everything else is left to member-mapping.ts.
 */
import { skipNumber } from '../bytes/digits.ts'
import { NumberList } from '../bytes/number-list.ts'
import type { TextRange } from '../bytes/text-range.ts'
import { type MapVersion, mapVersions } from '../mapping/map-version.ts'
import { type ClassTable, noNumber } from './class-table.ts'
import { FastMethodLine } from './fast-method-line.ts'
import { type MappedRange, toRange } from './member-mapping.ts'

const maxStack = 64

/** The inline stack at one line. One object is reused for many frames, so that a frame creates no garbage. */
export class SingleStack {
  /** How many of `methods` belong to the stack, innermost first. */
  length = 0
  readonly methods: FastMethodLine[] = []
  /** The range of lines in the obfuscated program that all methods of the stack share. */
  from = 0
  to = 0
  /** Whether the compiler generated the outermost method. */
  synthesized = false
  /** Numbers of the lines with a note that the compiler generated their method. */
  readonly #notedLines = new NumberList(16)
  readonly #other = new FastMethodLine()
  readonly #last = new FastMethodLine()

  /** Finds the stack at `line`. Returns `false` if there is none, or if only member-mapping.ts can tell. */
  find(
    text: TextRange,
    table: ClassTable,
    obfuscated: TextRange,
    hash: number,
    line: number,
    version: MapVersion,
  ): boolean {
    this.length = 0
    this.synthesized = false
    this.#notedLines.length = 0
    let isOpen = false
    // The range of a generated method whose note came before the lines of its callers; -1 if there is none.
    let notedFrom = -1
    let notedTo = -1
    // The last line of the first stack, and the last line of all.
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
        // A method without a range would matter only if no range contained the line.
        if (from === noNumber) {
          if (noted) return false
          isOpen = false
          isAllRanges &&= table.isField(number)
          notedFrom = -1
          continue
        }
        const to = table.toOf(number)
        // A note between a method and its caller would describe the caller as well.
        if (to === noNumber || to < from || (from === notedFrom && to === notedTo)) return false
        notedFrom = -1
        if (noted) {
          if (version < mapVersions.v1_0 || !table.isSynthesized(number)) return false
          if (!this.#other.read(text.bytes, findRangeEnd(text, table, number), obfuscated)) return false
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
        if (!method.read(text.bytes, findRangeEnd(text, table, number), obfuscated)) return false
      }
    }
    if (this.length === 0) return false
    return this.#notedLines.length === 0 || (isAllRanges && this.#applyNotes(text, table, obfuscated, first, last))
  }

  toRanges({ bytes }: TextRange, obfuscated: string): MappedRange[] {
    const minified = { from: this.from, to: this.to, cardinal: false }
    const ranges = this.methods
      .slice(0, this.length)
      .map((method) =>
        toRange({ minified, original: method.original, signature: method.toSignature(bytes), obfuscated }),
      )
    const outermost = ranges.at(-1)
    if (outermost) outermost.synthesized = this.synthesized
    return ranges
  }

  #applyNotes(text: TextRange, table: ClassTable, obfuscated: TextRange, firstLine: number, lastLine: number): boolean {
    const { bytes } = text
    const other = this.#other
    const last = this.#last
    const outermost = this.methods[this.length - 1]
    if (!outermost || !other.read(bytes, findRangeEnd(text, table, firstLine), obfuscated)) return false
    if (!last.read(bytes, findRangeEnd(text, table, lastLine), obfuscated)) return false
    // If the first and the last method are the same, R8 treats everything between them as part of it.
    const isOneMethod = areSameBytes(bytes, other.start, other.end, last.start, last.end)
    const deciding = isOneMethod ? last : outermost
    for (let place = 0; place < this.#notedLines.length && !this.synthesized; place++) {
      other.read(bytes, findRangeEnd(text, table, this.#notedLines.get(place)), obfuscated)
      this.synthesized =
        areSameBytes(bytes, other.start, other.typeEnd, deciding.start, deciding.typeEnd) &&
        areSameBytes(bytes, other.nameEnd, other.end, deciding.nameEnd, deciding.end)
    }
    return true
  }
}

/** The offset after the first range of a line, which must have one. */
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
