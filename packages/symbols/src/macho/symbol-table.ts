/**
 * Reads the symbol table as a list of ranges that never overlap. A record has 12 or 16 bytes:
 *   0 name's offset in the strings · 4 type · 5 section, from 1 · 6 description · 8 address (32 or 64 bits)
 * Type: bits e0 mark debugging entries, which are left out; bits 0e are the kind, of which only 0e "defined in a
 * section" has an address here.
 *
 * A symbol has no size. It ends where the next symbol of its section starts, or with the section. If several symbols
 * have one address, the last one of the table counts. LLVM's symbolizer does the same, so both give the same name.
 */
import type { ByteSource } from '@fairlead/binary'
import { outOfRange } from '@fairlead/invariant'
import type { SymbolRanges } from '../lookup/symbol-ranges.ts'
import { sortByValue } from '../sorted/sort-by-value.ts'
import type { MachOImage, SymbolTablePlace } from './image.ts'

const debuggingBits = 0xe0
const kindBits = 0x0e
const definedInSection = 0x0e

/**
 * Reads the table with one read. Symbols outside of the image's first 4 GB, and symbols whose name lies outside of the
 * strings, are left out.
 */
export function readSymbols(source: ByteSource, image: MachOImage, table: SymbolTablePlace): SymbolRanges {
  const bytes = source.read(table.symbols.offset, table.symbols.size)
  const capacity = Math.floor(bytes.length / table.recordLength)
  const start = new Uint32Array(capacity)
  const name = new Uint32Array(capacity)
  const section = new Uint8Array(capacity)
  let count = 0
  for (let at = 0; at + table.recordLength <= bytes.length; at += table.recordLength) {
    const type = bytes[at + 4] ?? outOfRange()
    if ((type & debuggingBits) !== 0 || (type & kindBits) !== definedInSection) continue
    const sectionIndex = bytes[at + 5] ?? outOfRange()
    if (sectionIndex === 0 || sectionIndex > image.sections.length) continue
    const nameOffset = bytes.readUInt32LE(at)
    if (nameOffset === 0 || nameOffset >= table.strings.size) continue
    const offset = readAddress(bytes, at + 8, image.is64) - image.textAddress
    if (!(offset >= 0 && offset < 0xffffffff)) continue
    start[count] = offset
    name[count] = nameOffset
    section[count] = sectionIndex
    count++
  }
  const order = sortByValue(start, count)
  return toRanges(order, { start, name, section }, image)
}

function readAddress(bytes: Buffer, at: number, is64: boolean): number {
  return bytes.readUInt32LE(at) + (is64 ? bytes.readUInt32LE(at + 4) * 0x1_0000_0000 : 0)
}

interface Columns {
  start: Uint32Array
  name: Uint32Array
  section: Uint8Array
}

function toRanges(order: Uint32Array, columns: Columns, image: MachOImage): SymbolRanges {
  const start = new Uint32Array(order.length)
  const end = new Uint32Array(order.length)
  const name = new Uint32Array(order.length)
  const nextInSection = new Float64Array(image.sections.length + 1).fill(-1)
  let count = order.length
  let following = 0xffffffff
  for (let index = order.length - 1; index >= 0; index--) {
    const record = order[index] ?? outOfRange()
    const offset = columns.start[record] ?? outOfRange()
    if (offset === following) continue
    const sectionIndex = columns.section[record] ?? outOfRange()
    count--
    start[count] = offset
    end[count] = Math.min(findEnd(offset, sectionIndex, nextInSection, image) ?? following, following)
    nextInSection[sectionIndex] = offset
    name[count] = columns.name[record] ?? outOfRange()
    following = offset
  }
  return {
    count: order.length - count,
    start: start.subarray(count),
    end: end.subarray(count),
    name: name.subarray(count),
  }
}

/**
 * The offset of the next symbol of the section, or of the section's end. A symbol at the very end of its section covers
 * the code up to the next symbol or end in the sections behind it; undefined if there is none.
 */
function findEnd(
  offset: number,
  sectionIndex: number,
  nextInSection: Float64Array,
  { sections, textAddress }: MachOImage,
): number | undefined {
  for (let index = sectionIndex; index <= sections.length; index++) {
    const next = nextInSection[index] ?? outOfRange()
    const { address = 0, size = 0 } = sections[index - 1] ?? {}
    const end = next >= 0 ? next : address + size - textAddress
    if (end > offset) return end
  }
  return undefined
}
