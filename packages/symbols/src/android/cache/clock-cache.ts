/**
 * A cache of values by number with the CLOCK replacement policy: when the total weight exceeds the limit, the hand
 * moves on and evicts values that were not read since it last came by. A hit costs one array read and no hash, which
 * `lru-cache` needs for its keys.
 */
export class ClockCache<Value extends object> {
  readonly #limit: number
  readonly #weigh: (value: Value) => number
  readonly #values: (Value | undefined)[]
  readonly #isUsed: Uint8Array
  #weight = 0
  #hand = 0

  /** Creates a cache for the numbers from 0 to `count` − 1. */
  constructor(count: number, limit: number, weigh: (value: Value) => number) {
    this.#limit = limit
    this.#weigh = weigh
    this.#values = Array<Value | undefined>(count).fill(undefined)
    this.#isUsed = new Uint8Array(count)
  }

  get(number: number): Value | undefined {
    this.#isUsed[number] = 1
    return this.#values[number]
  }

  /** Adds a value that is not in the cache yet. */
  add(number: number, value: Value): Value {
    const weight = this.#weigh(value)
    this.#weight += weight
    while (this.#weight > this.#limit && this.#weight > weight) this.#advance()
    this.#values[number] = value
    this.#isUsed[number] = 1
    return value
  }

  #advance(): void {
    this.#hand = (this.#hand + 1) % this.#values.length
    const value = this.#isUsed[this.#hand] === 1 ? undefined : this.#values[this.#hand]
    this.#isUsed[this.#hand] = 0
    if (!value) return
    this.#weight -= this.#weigh(value)
    this.#values[this.#hand] = undefined
  }
}
