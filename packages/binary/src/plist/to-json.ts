import type { Json } from '../app-info.ts'
import { isPlistDictionary, type PlistDictionary, type PlistValue } from './plist-value.ts'

/**
 * Converts a dictionary to JSON values: dates in ISO 8601, bytes in base64, and integers past 2^53 as strings of
 * digits. The parser bounds depth and size.
 */
export function toJson(dictionary: PlistDictionary): Record<string, Json> {
  return Object.fromEntries(Object.entries(dictionary).map(([key, value]) => [storable(key), toJsonValue(value)]))
}

function toJsonValue(value: PlistValue): Json {
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map(toJsonValue)
  if (isPlistDictionary(value)) return toJson(value)
  if (typeof value === 'string') return storable(value)
  return value
}

/** Removes NUL and lone surrogates, which databases reject. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
