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
  return { count, columns, byteLength: bytes.length }
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
