/** Reads parsed JSON whose shape nobody vouches for: a value of the wrong kind counts as absent. */
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

/** The objects of a list, or of a list that stands under `values`, as Sentry's protocol allows for both. */
export function toObjects(value: unknown): JsonObject[] {
  return toList(isObject(value) ? value['values'] : value).filter(isObject)
}

/** Text without NUL, which PostgreSQL cannot store, and without lone surrogates. Empty text is absent. */
export function toText(value: unknown, maxLength = maxNameLength): string | null {
  if (typeof value !== 'string') return null
  const text = value.slice(0, maxLength).replaceAll('\0', '\uFFFD').toWellFormed()
  return text === '' ? null : text
}

/** Text, or a number written as text. */
export function toLabel(value: unknown): string | null {
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : toText(value)
}

/** A whole number that is exact, given as a number or as decimal text. */
export function toInteger(value: unknown): number | null {
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null
}

/** An address of up to 64 bits: a number, or hexadecimal text that begins with 0x, or decimal text. */
export function toAddress(value: unknown): bigint | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null
  return typeof value === 'string' && /^(0x[0-9a-fA-F]{1,16}|\d{1,20})$/.test(value) ? BigInt(value) : null
}

/** Epoch milliseconds from seconds or from ISO 8601 text; null for what is no time between 1970 and 9999. */
export function toInstant(value: unknown): number | null {
  const instant = typeof value === 'number' ? value * 1000 : typeof value === 'string' ? Date.parse(value) : Number.NaN
  return instant >= 0 && instant < 253_402_300_800_000 ? Math.round(instant) : null
}
