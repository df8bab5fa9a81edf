/** A map from numbers to numbers, of millions of pairs: a fifth of the memory of a `Map`. Keys are above 0 and below 2^53. */
export class OffsetMap {
  #keys = new Float64Array(4096)
  #values = new Float64Array(4096)
  #mask = 4095
  size = 0

  get(key: number): number | undefined {
    for (let slot = hash(key) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const found = this.#keys[slot]
      if (found === key) return this.#values[slot]
      if (found === 0) return undefined
    }
  }

  set(key: number, value: number): void {
    if (this.size * 2 >= this.#keys.length) this.#grow()
    let slot = hash(key) & this.#mask
    while (this.#keys[slot] !== 0 && this.#keys[slot] !== key) slot = (slot + 1) & this.#mask
    if (this.#keys[slot] === 0) this.size++
    this.#keys[slot] = key
    this.#values[slot] = value
  }

  #grow(): void {
    const keys = this.#keys
    const values = this.#values
    this.#keys = new Float64Array(keys.length * 2)
    this.#values = new Float64Array(keys.length * 2)
    this.#mask = keys.length * 2 - 1
    this.size = 0
    for (const [index, key] of keys.entries()) if (key !== 0) this.set(key, values[index] as number)
  }
}

function hash(key: number): number {
  const mixed = Math.imul((key % 0x1_0000_0000) ^ Math.floor(key / 0x1_0000_0000), 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}
