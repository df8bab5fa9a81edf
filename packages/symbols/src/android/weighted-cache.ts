/** Values that are dear to make, kept up to a total weight; those not asked for the longest go first. */
export class WeightedCache<Key, Value> {
  readonly #limit: number
  readonly #entries = new Map<Key, { value: Value; weight: number }>()
  #weight = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  set(key: Key, value: Value, weight: number): void {
    this.#entries.set(key, { value, weight })
    this.#weight += weight
    for (const [oldest, entry] of this.#entries) {
      if (this.#weight <= this.#limit) break
      this.#entries.delete(oldest)
      this.#weight -= entry.weight
    }
  }
}
