/**
 * Values by number, up to a total weight; those not asked for since the last round of the clock's hand go first. A hit
 * costs no more than the reading of an array.
 */
export class ClockCache<Value extends object> {
  readonly #limit: number
  readonly #weigh: (value: Value) => number
  readonly #values: (Value | undefined)[]
  readonly #isUsed: Uint8Array
  #weight = 0
  #hand = 0

  /** For numbers below `count`. */
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

  /** Adds a value that is not there. */
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
