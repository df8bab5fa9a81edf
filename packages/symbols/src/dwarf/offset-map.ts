import { outOfRange } from '@fairlead/invariant'

const firstSlots = 1 << 14

/**
 * A hash map from offsets to numbers with 8 bytes for each pair, made for millions of them. Both have 32 bits; the
 * offset 0 marks an empty slot and cannot be a key.
 */
export class OffsetMap {
  #keys = new Uint32Array(firstSlots)
  #values = new Uint32Array(firstSlots)
  #size = 0

  get(key: number): number | undefined {
    const keys = this.#keys
    const mask = keys.length - 1
    for (let slot = hash(key) & mask; ; slot = (slot + 1) & mask) {
      const found = keys[slot]
      if (found === 0) return undefined
      if (found === key) return this.#values[slot]
    }
  }

  set(key: number, value: number): void {
    if (key === 0) return
    if (this.#size * 2 >= this.#keys.length) this.#grow()
    const keys = this.#keys
    const mask = keys.length - 1
    let slot = hash(key) & mask
    while (keys[slot] !== 0 && keys[slot] !== key) slot = (slot + 1) & mask
    if (keys[slot] === 0) this.#size++
    keys[slot] = key
    this.#values[slot] = value
  }

  #grow(): void {
    const keys = this.#keys
    const values = this.#values
    this.#keys = new Uint32Array(keys.length * 4)
    this.#values = new Uint32Array(keys.length * 4)
    this.#size = 0
    for (let slot = 0; slot < keys.length; slot++) {
      if (keys[slot] !== 0) this.set(keys[slot] ?? outOfRange(), values[slot] ?? outOfRange())
    }
  }
}

/**
 * Hashes an offset. Offsets that are near each other get slots near each other, because they are looked up together;
 * the upper bits are mixed.
 */
function hash(key: number): number {
  return (key >>> 3) + Math.imul(key >>> 16, 0x9e3779b1)
}
