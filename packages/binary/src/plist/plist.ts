import { BinaryError } from '../binary-error.ts'
import { parseBinaryPlist } from './binary-plist.ts'
import type { PlistLimits, PlistValue } from './plist-value.ts'
import { parseXmlPlist } from './xml-plist.ts'

const defaults: PlistLimits = {
  maxBytes: 4 * 1024 * 1024,
  maxObjects: 500_000,
  maxDepth: 128,
  maxExpandedBytes: 32 * 1024 * 1024,
}

/**
 * Parses an XML or binary property list.
 *
 * @throws BinaryError `malformed-plist` or `too-large`.
 */
export function parsePlist(bytes: Uint8Array, limits: Partial<PlistLimits> = {}): PlistValue {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const all = { ...defaults, ...limits }
  if (buffer.length > all.maxBytes) throw new BinaryError('too-large', `The property list has ${buffer.length} bytes.`)
  const isBinary = buffer.subarray(0, 6).equals(Buffer.from('bplist'))
  return isBinary ? parseBinaryPlist(buffer, all) : parseXmlPlist(buffer, all)
}
