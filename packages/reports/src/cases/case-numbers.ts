/**
 * Counts how often each of up to a million keys occurs, in a hash table with open addressing in flat memory. It takes
 * 20 bytes a slot, a tenth of what a Map of a million strings takes.
 *
 * A slot is five 32-bit words: the first 128 bits of the key, and the count. A count of 0 marks a free slot.
 */
const words = 5

export class CaseNumbers {
  /** The number of slots, a power of 2. */
  #slots = new Int32Array(words * 1024)
  #used = 0

  /** Counts a key of 32 hexadecimal digits and returns how often it has occurred, this time included. */
  next(key: string): number {
    if (this.#used * words * 2 > this.#slots.length) this.#grow()
    const slots = this.#slots
    const a = readWord(key, 0)
    const b = readWord(key, 8)
    const c = readWord(key, 16)
    const d = readWord(key, 24)
    const slot = findSlot(slots, a, b, c, d)
    const count = (slots[slot + 4] ?? 0) + 1
    if (count === 1) {
      this.#used++
      slots[slot] = a
      slots[slot + 1] = b
      slots[slot + 2] = c
      slots[slot + 3] = d
    }
    slots[slot + 4] = count
    return count
  }

  #grow(): void {
    const old = this.#slots
    const slots = new Int32Array(old.length * 4)
    for (let at = 0; at < old.length; at += words) {
      const count = old[at + 4] ?? 0
      if (count === 0) continue
      const [a = 0, b = 0, c = 0, d = 0] = [old[at], old[at + 1], old[at + 2], old[at + 3]]
      const slot = findSlot(slots, a, b, c, d)
      slots[slot] = a
      slots[slot + 1] = b
      slots[slot + 2] = c
      slots[slot + 3] = d
      slots[slot + 4] = count
    }
    this.#slots = slots
  }
}

/** Returns the slot of the key, or the free slot for it. */
function findSlot(slots: Int32Array, a: number, b: number, c: number, d: number): number {
  const mask = slots.length / words - 1
  for (let index = a & mask; ; index = (index + 1) & mask) {
    const at = index * words
    if (slots[at + 4] === 0) return at
    if (slots[at] === a && slots[at + 1] === b && slots[at + 2] === c && slots[at + 3] === d) return at
  }
}

/** Parses eight lower-case hexadecimal digits as a signed number, which V8 stores without allocating an object. */
function readWord(key: string, at: number): number {
  let word = 0
  for (let i = at; i < at + 8; i++) {
    const code = key.charCodeAt(i)
    word = (word << 4) | (code <= 0x39 ? code - 0x30 : code - 0x57)
  }
  return word
}
