import { outOfRange } from '@fairlead/invariant'

/** A growing list of unsigned 32-bit integers. It takes about a fifth of the memory of an array of numbers. */
export class NumberList {
  #values: Uint32Array
  length = 0

  constructor(capacity = 1024) {
    this.#values = new Uint32Array(capacity)
  }

  get(place: number): number {
    if (place >= this.length) throw new RangeError(`Index ${place} is outside of a list of ${this.length} numbers.`)
    return this.#values[place] ?? outOfRange() // `place` is below the length
  }

  push(value: number): void {
    if (this.length === this.#values.length) {
      const grown = new Uint32Array(this.length * 2)
      grown.set(this.#values)
      this.#values = grown
    }
    this.#values[this.length++] = value
  }

  set(place: number, value: number): void {
    this.#values[place] = value
  }

  toArray(): Uint32Array {
    return this.#values.subarray(0, this.length)
  }
}
