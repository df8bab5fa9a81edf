/** Reads fields of parsed JSON. A value of another type counts as absent. */

export type JsonObject = Record<string, unknown>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads own properties only, so that `constructor` has no value. */
export function getValue(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

export function getString(object: JsonObject, key: string): string | null {
  const value = getValue(object, key)
  return typeof value === 'string' ? value : null
}

export function getNumber(object: JsonObject, key: string): number | null {
  const value = getValue(object, key)
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

export function getObject(object: JsonObject, key: string): JsonObject {
  const value = getValue(object, key)
  return isObject(value) ? value : {}
}

/** Returns the elements that are objects. */
export function getObjects(object: JsonObject, key: string): JsonObject[] {
  const value = getValue(object, key)
  return Array.isArray(value) ? value.filter((element) => isObject(element)) : []
}

/** Returns the elements that are strings; a single string counts as a list of one. */
export function getStrings(object: JsonObject, key: string): string[] {
  const value = getValue(object, key)
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((element) => typeof element === 'string') : []
}
