/**
 * A cache with two generations, which approximates least-recently-used eviction. A value that is read moves to the
 * young generation. When that one is full, the old generation is dropped and the young one takes its place. A hit costs
 * one map look-up; an exact order of use, which `lru-cache` keeps, would cost more at each hit.
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
