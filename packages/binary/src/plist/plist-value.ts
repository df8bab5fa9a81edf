/** A value of a property list. Integers past 2^53 are bigints; a UID is `{ 'CF$UID': number }`, as in the XML form. */
export type PlistValue = string | number | bigint | boolean | null | Date | Uint8Array | PlistValue[] | PlistDictionary

/** Dictionaries have no prototype, so that `__proto__` is an ordinary key. */
export interface PlistDictionary {
  [key: string]: PlistValue
}

export interface PlistLimits {
  /** Size of the property list itself in bytes. Default 4 MB. */
  maxBytes: number
  /** Number of values in it. Default 500,000. */
  maxObjects: number
  /** Nesting depth of dictionaries and arrays. Default 128. */
  maxDepth: number
  /** Size written out as a tree, with shared objects counted each time, roughly in bytes. Default 32 MB. */
  maxExpandedBytes: number
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
