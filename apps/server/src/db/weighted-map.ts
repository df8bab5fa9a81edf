/** A map whose values have a weight in bytes, and which drops the oldest ones when all together weigh too much. */
export interface WeightedMap<Value> {
  get(key: string): Value | undefined
  /** Keeps a value, unless it alone would displace too many others. */
  set(key: string, value: Value, weight: number): void
  delete(key: string): void
}

/** The assumed weight of an entry without its value and key, in bytes. */
const usualWeight = 1024
/** A value may weigh this part of the limit. */
const largestPart = 1 / 16

export function createWeightedMap<Value>(limit: number): WeightedMap<Value> {
  const entries = new Map<string, { value: Value; weight: number }>()
  let total = 0

  const remove = (key: string): void => {
    const entry = entries.get(key)
    if (!entry) return
    entries.delete(key)
    total -= entry.weight
  }
  return {
    get: (key) => entries.get(key)?.value,
    set(key, value, ownWeight) {
      remove(key)
      if (ownWeight > limit * largestPart) return
      // A key may contain the caller's search text, so it counts too, with two bytes for each UTF-16 code unit.
      const weight = usualWeight + ownWeight + key.length * 2
      entries.set(key, { value, weight })
      total += weight
      for (const oldest of entries.keys()) {
        if (total <= limit) break
        remove(oldest)
      }
    },
    delete: remove,
  }
}
