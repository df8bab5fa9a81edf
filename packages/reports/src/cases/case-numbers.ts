/**
 * Counts how often each of up to a million keys came: a hash table with open addressing in flat memory, 20 bytes a slot,
 * because a Map of a million strings takes ten times as much.
 *
 * A slot is five 32-bit words: the key's first 128 bits and the count; a count of 0 is a free slot.
 */
const words = 5

export class CaseNumbers {
  #slots = new Uint32Array(words * 1024)
  #used = 0

  /** The number of times that this key came, this one included. The key has 32 hexadecimal digits. */
  next(key: string): number {
    const [a, b, c, d] = [0, 8, 16, 24].map((at) => Number.parseInt(key.slice(at, at + 8), 16)) as Key
    if (this.#used * words * 2 > this.#slots.length) this.#grow()
    const slot = findSlot(this.#slots, a, b, c, d)
    const count = (this.#slots[slot + 4] ?? 0) + 1
    if (count === 1) {
      this.#used++
      this.#slots.set([a, b, c, d], slot)
    }
    this.#slots[slot + 4] = count
    return count
  }

  #grow(): void {
    const old = this.#slots
    const slots = new Uint32Array(old.length * 2)
    for (let at = 0; at < old.length; at += words) {
      if (old[at + 4] === 0) continue
      const [a, b, c, d] = old.subarray(at, at + 4) as unknown as Key
      slots.set(old.subarray(at, at + words), findSlot(slots, a, b, c, d))
    }
    this.#slots = slots
  }
}

/** Four words; a key of 32 digits and a slot have exactly so many. */
type Key = [number, number, number, number]

function findSlot(slots: Uint32Array, a: number, b: number, c: number, d: number): number {
  const count = slots.length / words
  for (let index = a % count; ; index = (index + 1) % count) {
    const at = index * words
    if (slots[at + 4] === 0) return at
    if (slots[at] === a && slots[at + 1] === b && slots[at + 2] === c && slots[at + 3] === d) return at
  }
}
