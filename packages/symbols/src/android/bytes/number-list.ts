/** A list of unsigned 32-bit integers that grows, in a fifth of the memory of an array. */
export class NumberList {
  #values: Uint32Array
  length = 0

  constructor(capacity = 1024) {
    this.#values = new Uint32Array(capacity)
  }

  get(place: number): number {
    if (place >= this.length) throw new RangeError(`A list of ${this.length} numbers has none at ${place}.`)
    return this.#values[place] as number // `place` is below the length
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
