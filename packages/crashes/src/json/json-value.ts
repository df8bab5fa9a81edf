/** Reads parsed JSON of unknown shape. A value of the wrong type counts as absent. */
import { maxNameLength } from '../limits.ts'

export type JsonObject = { readonly [key: string]: unknown }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function toObject(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns the objects of a list. Sentry's protocol also allows the list under the key `values`. */
export function toObjects(value: unknown): JsonObject[] {
  return toList(isObject(value) ? value['values'] : value).filter(isObject)
}

/**
 * Cleans text for storage: removes NUL, which PostgreSQL cannot store, and lone surrogates. Empty text counts as
 * absent.
 */
export function toText(value: unknown, maxLength = maxNameLength): string | null {
  if (typeof value !== 'string') return null
  const text = value.slice(0, maxLength).replaceAll('\0', '\uFFFD').toWellFormed()
  return text === '' ? null : text
}

/** Reads text, or a number as text. */
export function toLabel(value: unknown): string | null {
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : toText(value)
}

/** Reads a safe integer, given as a number or as decimal text. */
export function toInteger(value: unknown): number | null {
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null
}

/** Reads an address of up to 64 bits: a number, hexadecimal text that begins with 0x, or decimal text. */
export function toAddress(value: unknown): bigint | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null
  return typeof value === 'string' && /^(0x[0-9a-fA-F]{1,16}|\d{1,20})$/.test(value) ? BigInt(value) : null
}

/** Converts seconds or ISO 8601 text to epoch milliseconds; null unless the time is between 1970 and 9999. */
export function toInstant(value: unknown): number | null {
  const instant = typeof value === 'number' ? value * 1000 : typeof value === 'string' ? Date.parse(value) : Number.NaN
  return instant >= 0 && instant < 253_402_300_800_000 ? Math.round(instant) : null
}
