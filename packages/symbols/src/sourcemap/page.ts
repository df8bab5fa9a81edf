import { outOfRange } from '@fairlead/invariant'
import { columnsOfPage, damaged, pageHeadBytes } from './format.ts'
import { toPaddedBytes } from './page-writer.ts'

type Numbers = Uint8Array | Uint16Array | Uint32Array

/** A column of a page: numbers as differences from the least of them, or none if all are the same. */
export interface Column {
  least: number
  numbers: Numbers | undefined
}

export interface Page {
  count: number
  columns: Column[]
  /** Generated lines and columns, which searches read often, as plain numbers; undefined where all lines are one. */
  lines: Uint32Array | undefined
  firstLine: number
  generated: Uint32Array
  readonly byteLength: number
}

/** Throws `malformed-lookup`. */
export function decodePage(bytes: Buffer, count: number): Page {
  let offset = pageHeadBytes
  const columns = Array.from({ length: columnsOfPage }, (_, place): Column => {
    const width = bytes[place] ?? outOfRange()
    const least = bytes.readUInt32LE(8 + place * 4)
    const start = bytes.byteOffset + offset
    offset += toPaddedBytes(count, width)
    if (offset > bytes.length) throw damaged()
    return { least, numbers: width === 0 ? undefined : toNumbers(bytes.buffer, start, count, width) }
  })
  const [lines = outOfRange(), generated = outOfRange()] = columns
  return {
    count,
    columns,
    lines: lines.numbers && toPlain(lines, count),
    firstLine: lines.least,
    generated: toPlain(generated, count),
    byteLength: bytes.length + count * 8,
  }
}

function toPlain({ least, numbers }: Column, count: number): Uint32Array {
  const plain = new Uint32Array(count)
  for (let at = 0; at < count; at++) plain[at] = least + (numbers === undefined ? 0 : (numbers[at] ?? outOfRange()))
  return plain
}

/** The generated line of a segment, counted from 0. */
export function lineOf({ lines, firstLine }: Page, index: number): number {
  return lines === undefined ? firstLine : (lines[index] ?? outOfRange())
}

function toNumbers(buffer: ArrayBufferLike, start: number, count: number, width: number): Numbers {
  if (width === 1) return new Uint8Array(buffer, start, count)
  if (width === 2) return new Uint16Array(buffer, start, count)
  if (width === 4) return new Uint32Array(buffer, start, count)
  throw damaged()
}

export function readColumn({ columns }: Page, place: number, index: number): number {
  const { least, numbers } = columns[place] ?? outOfRange()
  return numbers === undefined ? least : least + (numbers[index] ?? outOfRange())
}
