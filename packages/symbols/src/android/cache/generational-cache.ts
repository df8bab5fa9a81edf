/**
 * Values that are dear to make, kept up to a total weight. What is asked for moves to the young half; when that is
 * full, the old half goes and the young one is the old. A hit costs one look-up, which an exact order of use would
 * triple.
 */
export class GenerationalCache<Key, Value> {
  readonly #limit: number
  #young = new Map<Key, Value>()
  #old = new Map<Key, Value>()
  #weight = 0
  readonly #weigh: (value: Value) => number

  constructor(limit: number, weigh: (value: Value) => number) {
    this.#limit = limit
    this.#weigh = weigh
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: Key, value: Value): void {
    this.#weight += this.#weigh(value)
    if (this.#weight > this.#limit / 2) {
      this.#old = this.#young
      this.#young = new Map()
      this.#weight = this.#weigh(value)
    }
    this.#young.set(key, value)
  }
}
