import { outOfRange } from '@fairlead/invariant'
import { damagedXz } from './output.ts'

const topValue = 2 ** 24

/**
 * The range decoder of LZMA: it reads one bit after another, each with a probability of 11 bits that adapts to what was
 * read.
 */
export class RangeDecoder {
  readonly #input: Buffer
  readonly #end: number
  #at: number
  /** The range and the code, which are always below 2^32. A typed array keeps them as plain numbers. */
  readonly #state = new Uint32Array(2)

  constructor(input: Buffer, start: number, end: number) {
    if (end - start < 5 || input[start] !== 0) throw damagedXz('A chunk of LZMA begins wrongly.')
    this.#input = input
    this.#end = end
    this.#state[0] = 0xffffffff
    this.#state[1] = input.readUInt32BE(start + 1)
    this.#at = start + 5
  }

  /** Checks that a chunk was read to its end. */
  finish(): void {
    if (this.#at !== this.#end || this.#state[1] !== 0) throw damagedXz('A chunk of LZMA ends wrongly.')
  }

  bit(model: Uint16Array, index: number): 0 | 1 {
    const state = this.#state
    const probability = model[index] ?? outOfRange()
    const range = state[0] ?? outOfRange()
    const code = state[1] ?? outOfRange()
    const bound = (range >>> 11) * probability
    if (code < bound) {
      state[0] = bound
      model[index] = probability + ((2048 - probability) >>> 5)
      if (bound < topValue) this.#normalize()
      return 0
    }
    state[0] = range - bound
    state[1] = code - bound
    model[index] = probability - (probability >>> 5)
    if (range - bound < topValue) this.#normalize()
    return 1
  }

  /** Reads a number of `bits` bits, the highest first, with a tree of probabilities. */
  tree(model: Uint16Array, base: number, bits: number): number {
    let symbol = 1
    for (let count = 0; count < bits; count++) symbol = (symbol << 1) | this.bit(model, base + symbol)
    return symbol - (1 << bits)
  }

  /** Reads a number of `bits` bits, the lowest first, with a tree of probabilities. */
  reverseTree(model: Uint16Array, base: number, bits: number): number {
    let symbol = 1
    let value = 0
    for (let count = 0; count < bits; count++) {
      const bit = this.bit(model, base + symbol)
      symbol = (symbol << 1) | bit
      value |= bit << count
    }
    return value
  }

  /** Reads a number of `bits` bits that are all equally likely. */
  direct(bits: number): number {
    const state = this.#state
    let value = 0
    for (let count = 0; count < bits; count++) {
      const range = (state[0] ?? outOfRange()) >>> 1
      const code = state[1] ?? outOfRange()
      const bit = code >= range ? 1 : 0
      state[0] = range
      if (bit === 1) state[1] = code - range
      value = value * 2 + bit
      if (range < topValue) this.#normalize()
    }
    return value
  }

  #normalize(): void {
    if (this.#at >= this.#end) throw damagedXz('A chunk of LZMA is cut off.')
    const state = this.#state
    state[0] = (state[0] ?? outOfRange()) << 8
    state[1] = ((state[1] ?? outOfRange()) << 8) | (this.#input[this.#at++] ?? outOfRange())
  }
}
