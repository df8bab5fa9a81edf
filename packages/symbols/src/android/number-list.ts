/** A list of unsigned 32-bit integers that grows, in a fifth of the memory of an array. */
export class NumberList {
  #values = new Uint32Array(1024)
  length = 0

  push(value: number): void {
    if (this.length === this.#values.length) {
      const grown = new Uint32Array(this.length * 2)
      grown.set(this.#values)
      this.#values = grown
    }
    this.#values[this.length++] = value
  }

  toArray(): Uint32Array {
    return this.#values.subarray(0, this.length)
  }
}
