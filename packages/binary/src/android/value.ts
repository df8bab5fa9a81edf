/**
 * A typed value takes 8 bytes: 0 size (u16) · 2 zero · 3 type (u8) · 4 data (u32).
 * The data is a number, a colour, an index into a string pool, or a resource id (0xPPTTEEEE: package, type, entry).
 */
import type { Bytes } from '../source/paged-bytes.ts'
import type { StringPool } from './string-pool.ts'

export const valueType = {
  reference: 0x01,
  string: 0x03,
  float: 0x04,
  dynamicReference: 0x07,
  firstInteger: 0x10,
  hexadecimal: 0x11,
  boolean: 0x12,
  firstColor: 0x1c,
  lastColor: 0x1f,
} as const

export interface Value {
  type: number
  data: number
  /** The decoded text of a string value. */
  text?: string | undefined
}

export function readValue(bytes: Bytes, at: number, strings: StringPool): Value {
  return toValue(bytes.readUInt8(at + 3), bytes.readUInt32LE(at + 4), strings)
}

export function toValue(type: number, data: number, strings: StringPool): Value {
  return type === valueType.string ? { type, data, text: strings.at(data) } : { type, data }
}

export function isReference(value: Value): boolean {
  return value.type === valueType.reference || value.type === valueType.dynamicReference
}

/** Returns the text of a string or the decimal digits of a number; undefined for other types, such as a dimension. */
export function toText(value: Value): string | undefined {
  if (value.type === valueType.string) return value.text
  if (value.type === valueType.boolean) return value.data === 0 ? 'false' : 'true'
  if (value.type === valueType.hexadecimal) return `0x${value.data.toString(16)}`
  if (value.type === valueType.firstInteger) return String(value.data | 0)
  if (value.type === valueType.float) {
    const float = Buffer.alloc(4)
    float.writeUInt32LE(value.data)
    return String(Number(float.readFloatLE().toPrecision(7)))
  }
  return undefined
}

/** Returns an integer, a boolean or a string of digits as an unsigned 32-bit number. */
export function toInteger(value: Value): number | undefined {
  if (value.type >= valueType.firstInteger && value.type <= valueType.lastColor) return value.data
  if (value.type !== valueType.string || !/^\d{1,10}$/.test(value.text ?? '')) return undefined
  return Number(value.text) <= 0xffffffff ? Number(value.text) : undefined
}

/** Returns a colour as `#AARRGGBB`. */
export function toColor(value: Value): string | undefined {
  if (value.type < valueType.firstColor || value.type > valueType.lastColor) return undefined
  return `#${value.data.toString(16).padStart(8, '0')}`
}
