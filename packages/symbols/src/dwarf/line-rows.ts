/**
 * Runs a line number program, which gives rows: from this offset on, the code comes from this file, line and column.
 *
 * Opcode 0 starts an extended opcode (length ULEB, opcode, operands). Opcodes below the opcode base are standard ones.
 * All others are special: they advance the address by (opcode − base) / range and the line by line base + (opcode −
 * base) % range, and append a row.
 * Rows come in sequences; the last row of a sequence marks the end of its code.
 */
import { Cursor } from './cursor.ts'
import { type LineHeader, readFileEntry } from './line-header.ts'

/** Rows [first, end) of one sequence. Its last row only marks the end of the code. */
export interface Sequence {
  low: number
  high: number
  first: number
  end: number
}

/** Rows as columns, which are used again for each unit so that they are allocated once. */
export class LineRows {
  count = 0
  /** Offsets from the image's __TEXT. */
  offset = new Uint32Array(1024)
  file = new Uint32Array(1024)
  line = new Uint32Array(1024)
  column = new Uint16Array(1024)
  sequences: Sequence[] = []

  clear(): void {
    this.count = 0
    this.sequences = []
  }

  push(offset: number, file: number, line: number, column: number): void {
    if (this.count === this.offset.length) this.#grow()
    this.offset[this.count] = offset
    this.file[this.count] = file
    this.line[this.count] = line
    this.column[this.count] = column
    this.count++
  }

  #grow(): void {
    const length = this.offset.length * 2
    const { offset, file, line, column } = this
    this.offset = new Uint32Array(length)
    this.offset.set(offset)
    this.file = new Uint32Array(length)
    this.file.set(file)
    this.line = new Uint32Array(length)
    this.line.set(line)
    this.column = new Uint16Array(length)
    this.column.set(column)
  }
}

const maxRows = 32 * 1024 * 1024

/**
 * Runs the program and appends its rows. Sequences that lie outside of the image's first 4 GB or never end are left
 * out.
 */
export function runLineProgram(header: LineHeader, textAddress: number, rows: LineRows): void {
  const { bytes, opcodeBase, lineBase, lineRange, minimumLength } = header
  const cursor = new Cursor(bytes, header.programStart)
  const constantAdvance = lineRange === 0 ? 0 : Math.floor((255 - opcodeBase) / lineRange) * minimumLength
  const { end: programEnd } = cursor
  let { at } = cursor
  let offset = -textAddress
  let file = 1
  let line = 1
  let column = 0
  let first = rows.count
  let valid = true

  while (at < programEnd && rows.count < maxRows) {
    const opcode = bytes[at++] as number
    if (opcode >= opcodeBase && opcode !== 0) {
      const adjusted = opcode - opcodeBase
      if (lineRange === 0) line += lineBase
      else {
        const advance = Math.floor(adjusted / lineRange)
        offset += advance * minimumLength
        line += lineBase + adjusted - advance * lineRange
      }
      valid &&= isOffset(offset)
      rows.push(valid ? offset : 0, file, line > 0 ? line : 0, column)
      continue
    }
    // Nearly all operands have one byte, which is read here without a call.
    const operand = at < programEnd ? (bytes[at] as number) : 0x80
    if (operand < 0x40 && opcode >= 2 && opcode <= 5) {
      at++
      if (opcode === 2) offset += operand * minimumLength
      else if (opcode === 3) line += operand
      else if (opcode === 4) file = operand
      else column = operand
      continue
    }
    cursor.at = at
    switch (opcode) {
      case 0: {
        const length = cursor.uleb()
        const end = cursor.at + length
        if (length === 0) break
        if (cursor.failed || end > programEnd) return dropOpen(rows, first)
        const kind = cursor.u8()
        if (kind === 1) {
          valid &&= isOffset(offset)
          rows.push(valid ? offset : 0, file, line > 0 ? line : 0, column)
          endSequence(rows, first, valid)
          offset = -textAddress
          file = 1
          line = 1
          column = 0
          first = rows.count
          valid = true
        } else if (kind === 2) {
          const address = length === 9 ? cursor.u64() : length === 5 ? cursor.u32() : Number.NaN
          offset = address - textAddress
        } else if (kind === 3 && header.version < 5) {
          header.files.push(readFileEntry(new Cursor(bytes, cursor.at, end)))
        }
        cursor.at = end
        break
      }
      case 1:
        valid &&= isOffset(offset)
        rows.push(valid ? offset : 0, file, line > 0 ? line : 0, column)
        break
      case 2:
        offset += cursor.uleb() * minimumLength
        break
      case 3:
        line += cursor.sleb()
        break
      case 4:
        file = cursor.uleb()
        break
      case 5:
        column = cursor.uleb()
        break
      case 6:
      case 7:
      case 10:
      case 11:
        break
      case 8:
        offset += constantAdvance
        break
      case 9:
        offset += cursor.u16()
        break
      case 12:
        cursor.uleb()
        break
      default:
        for (let count = header.operandCounts[opcode - 1] ?? 0; count > 0; count--) cursor.uleb()
    }
    at = cursor.at
  }
  dropOpen(rows, first)
}

const isOffset = (offset: number): boolean => offset >= 0 && offset <= 0xffffffff

function dropOpen(rows: LineRows, first: number): void {
  rows.count = first
}

function endSequence(rows: LineRows, first: number, valid: boolean): void {
  const low = rows.offset[first] as number
  const high = rows.offset[rows.count - 1] as number
  if (valid && low < high) {
    if (!isSorted(rows, first)) sortRows(rows, first)
    rows.sequences.push({ low, high, first, end: rows.count })
  } else rows.count = first
}

function isSorted(rows: LineRows, first: number): boolean {
  for (let index = first + 1; index < rows.count; index++) {
    if ((rows.offset[index] as number) < (rows.offset[index - 1] as number)) return false
  }
  return true
}

/** Sorts the rows of a sequence. Only malformed programs move backwards in one. */
function sortRows(rows: LineRows, first: number): void {
  const order = Array.from({ length: rows.count - first }, (_, index) => first + index)
  order.sort((a, b) => (rows.offset[a] as number) - (rows.offset[b] as number))
  for (const column of [rows.offset, rows.file, rows.line, rows.column]) {
    const sorted = order.map((index) => column[index] as number)
    column.set(sorted, first)
  }
}
