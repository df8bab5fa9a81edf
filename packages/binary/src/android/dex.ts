/**
 * Reads the classes that a dex file defines. The header names tables of a fixed width: strings (4 bytes, the offset of
 * the text), types (4, a string), fields (8: class as a type, type, name as a string) and class definitions (32, the
 * first 4 are the class as a type). A text is its length as ULEB128 and then modified UTF-8 that ends with a zero byte.
 * https://source.android.com/docs/core/runtime/dex-format
 */
import { BinaryError } from '../binary-error.ts'
import { withinBounds } from '../within-bounds.ts'

export interface DexClasses {
  /** Names such as `org.shop.Cart$Line`. */
  classes: Set<string>
  /** The classes, of this file or another, that this file uses a field called `APPLICATION_ID` of. */
  withApplicationId: Set<string>
}

const magic = Buffer.from('dex\n')
const headerSize = 0x70
/** One file has at most 65,536 classes and fields by its instructions; tables of more are not real. */
const maxRows = 65_536
const maxStrings = 2 ** 20
const longestName = 500

/** @throws BinaryError `malformed-dex` */
export function readDexClasses(bytes: Buffer): DexClasses {
  return withinBounds('malformed-dex', () => readTables(bytes))
}

function readTables(bytes: Buffer): DexClasses {
  if (bytes.length < headerSize || !bytes.subarray(0, 4).equals(magic)) throw refuse('It is no dex file.')
  const strings = readTable(bytes, 0x38, 4, maxStrings)
  const types = readTable(bytes, 0x40, 4, maxStrings)
  const fields = readTable(bytes, 0x50, 8, maxRows)
  const definitions = readTable(bytes, 0x60, 32, maxRows)

  const readText = (index: number) => {
    let at = bytes.readUInt32LE(rowOf(strings, index))
    while ((bytes.readUInt8(at) & 0x80) !== 0) at++
    const end = bytes.indexOf(0, ++at)
    return bytes.toString('latin1', at, Math.min(end < 0 ? bytes.length : end, at + longestName))
  }
  const readClass = (type: number) => toClassName(readText(bytes.readUInt32LE(rowOf(types, type))))

  const classes = new Set<string>()
  for (let row = 0; row < definitions.count; row++) {
    const name = readClass(bytes.readUInt32LE(rowOf(definitions, row)))
    if (name !== undefined) classes.add(name)
  }
  const withApplicationId = new Set<string>()
  for (let row = 0; row < fields.count; row++) {
    const at = rowOf(fields, row)
    if (readText(bytes.readUInt32LE(at + 4)) !== 'APPLICATION_ID') continue
    const name = readClass(bytes.readUInt16LE(at))
    if (name !== undefined) withApplicationId.add(name)
  }
  return { classes, withApplicationId }
}

interface Table {
  offset: number
  count: number
  width: number
}

function readTable(bytes: Buffer, at: number, width: number, maxCount: number): Table {
  const table = { count: bytes.readUInt32LE(at), offset: bytes.readUInt32LE(at + 4), width }
  if (table.count > maxCount) throw refuse('It has too many rows.')
  if (table.offset + table.count * width > bytes.length) throw refuse('A table ends behind the file.')
  return table
}

function rowOf({ offset, count, width }: Table, index: number): number {
  if (index >= count) throw refuse('It names a row that is not there.')
  return offset + index * width
}

/** `Lorg/shop/Cart;` is a class; other types are arrays and numbers. */
function toClassName(descriptor: string): string | undefined {
  return descriptor.startsWith('L') && descriptor.endsWith(';')
    ? descriptor.slice(1, -1).replaceAll('/', '.')
    : undefined
}

function refuse(detail: string): BinaryError {
  return new BinaryError('malformed-dex', detail)
}
