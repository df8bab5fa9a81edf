/**
 * Runs a line number program, which gives rows: from this offset on, the code comes from this file, line and column.
 *
 * Opcode 0 starts an extended opcode (length ULEB, opcode, operands). Opcodes below the opcode base are standard ones.
 * All others are special: they advance the address by (opcode − base) / range and the line by line base + (opcode −
 * base) % range, and append a row.
 * Rows come in sequences; the last row of a sequence marks the end of its code.
 */
import { outOfRange } from '@fairlead/invariant'
import { type CodePlace, isCodeOffset } from './code-place.ts'
import { Cursor } from './cursor.ts'
import { ExtendedLineOpcode, LineOpcode } from './constants.ts'
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
  /** Offsets from the image's start. */
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
export function runLineProgram(header: LineHeader, place: CodePlace, rows: LineRows): void {
  const { textAddress } = place
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
    const opcode = bytes[at++] ?? outOfRange()
    if (opcode >= opcodeBase && opcode !== LineOpcode.extended) {
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
    const operand = at < programEnd ? (bytes[at] ?? outOfRange()) : 0x80
    if (operand < 0x40 && opcode >= LineOpcode.advanceCode && opcode <= LineOpcode.setColumn) {
      at++
      if (opcode === LineOpcode.advanceCode) offset += operand * minimumLength
      else if (opcode === LineOpcode.advanceLine) line += operand
      else if (opcode === LineOpcode.setFile) file = operand
      else column = operand
      continue
    }
    cursor.at = at
    switch (opcode) {
      case LineOpcode.extended: {
        const length = cursor.uleb()
        const end = cursor.at + length
        if (length === 0) break
        if (cursor.failed || end > programEnd) return dropOpen(rows, first)
        const kind = cursor.u8()
        if (kind === ExtendedLineOpcode.endSequence) {
          valid &&= isOffset(offset)
          rows.push(valid ? offset : 0, file, line > 0 ? line : 0, column)
          endSequence(rows, first, valid && isCodeOffset(place, rows.offset[first] ?? outOfRange()))
          offset = -textAddress
          file = 1
          line = 1
          column = 0
          first = rows.count
          valid = true
        } else if (kind === ExtendedLineOpcode.setAddress) {
          const address = length === 9 ? cursor.u64() : length === 5 ? cursor.u32() : Number.NaN
          offset = address - textAddress
        } else if (kind === ExtendedLineOpcode.defineFile && header.version < 5) {
          header.files.push(readFileEntry(new Cursor(bytes, cursor.at, end)))
        }
        cursor.at = end
        break
      }
      case LineOpcode.copy:
        valid &&= isOffset(offset)
        rows.push(valid ? offset : 0, file, line > 0 ? line : 0, column)
        break
      case LineOpcode.advanceCode:
        offset += cursor.uleb() * minimumLength
        break
      case LineOpcode.advanceLine:
        line += cursor.sleb()
        break
      case LineOpcode.setFile:
        file = cursor.uleb()
        break
      case LineOpcode.setColumn:
        column = cursor.uleb()
        break
      case LineOpcode.negateStatement:
      case LineOpcode.setBasicBlock:
      case LineOpcode.setPrologueEnd:
      case LineOpcode.setEpilogueBegin:
        break
      case LineOpcode.addConstant:
        offset += constantAdvance
        break
      case LineOpcode.fixedAdvance:
        offset += cursor.u16()
        break
      case LineOpcode.setInstructionSet:
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
  const low = rows.offset[first] ?? outOfRange()
  const high = rows.offset[rows.count - 1] ?? outOfRange()
  if (valid && low < high) {
    if (!isSorted(rows, first)) sortRows(rows, first)
    rows.sequences.push({ low, high, first, end: rows.count })
  } else rows.count = first
}

function isSorted(rows: LineRows, first: number): boolean {
  for (let index = first + 1; index < rows.count; index++) {
    if ((rows.offset[index] ?? outOfRange()) < (rows.offset[index - 1] ?? outOfRange())) return false
  }
  return true
}

/** Sorts the rows of a sequence. Only malformed programs move backwards in one. */
function sortRows(rows: LineRows, first: number): void {
  const order = Array.from({ length: rows.count - first }, (_, index) => first + index)
  order.sort((a, b) => (rows.offset[a] ?? outOfRange()) - (rows.offset[b] ?? outOfRange()))
  for (const column of [rows.offset, rows.file, rows.line, rows.column]) {
    const sorted = order.map((index) => column[index] ?? outOfRange())
    column.set(sorted, first)
  }
}
