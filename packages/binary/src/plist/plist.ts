import { BinaryError } from '../binary-error.ts'
import { parseBinaryPlist } from './binary-plist.ts'
import { parseXmlPlist } from './xml-plist.ts'

/** A value of a property list. Integers past 2^53 are bigints; a UID is `{ 'CF$UID': number }`, as in the XML form. */
export type PlistValue = string | number | bigint | boolean | null | Date | Uint8Array | PlistValue[] | PlistDictionary

/** Has no prototype: `__proto__` is a key like any other. */
export interface PlistDictionary {
  [key: string]: PlistValue
}

export interface PlistLimits {
  /** Of the property list itself. Default 4 MB. */
  maxBytes: number
  /** Values it holds. Default 500,000. */
  maxObjects: number
  /** Dictionaries and arrays inside each other. Default 128. */
  maxDepth: number
  /** What it would weigh written out with nothing shared, roughly in bytes. Default 32 MB. */
  maxExpandedBytes: number
}

const defaults: PlistLimits = {
  maxBytes: 4 * 1024 * 1024,
  maxObjects: 500_000,
  maxDepth: 128,
  maxExpandedBytes: 32 * 1024 * 1024,
}

/** Parses an XML or binary property list. Throws BinaryError `malformed-plist` or `too-large`. */
export function parsePlist(bytes: Uint8Array, limits: Partial<PlistLimits> = {}): PlistValue {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const all = { ...defaults, ...limits }
  if (buffer.length > all.maxBytes) throw new BinaryError('too-large', `The property list has ${buffer.length} bytes.`)
  const isBinary = buffer.subarray(0, 6).equals(Buffer.from('bplist'))
  return isBinary ? parseBinaryPlist(buffer, all) : parseXmlPlist(buffer, all)
}

export function isPlistDictionary(value: PlistValue | undefined): value is PlistDictionary {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Date) &&
    !(value instanceof Uint8Array)
  )
}
