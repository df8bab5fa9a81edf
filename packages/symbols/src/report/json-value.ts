/** Access to parsed JSON of unknown shape: a value of another type counts as absent. */
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

export function toText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** An integer that a double represents exactly; else null. */
export function toInteger(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null
}
