/**
 * Decoder of LZMA2, the compression in `.xz` files.
 *
 * The data is a list of chunks, each with a control byte:
 *   00 ends the data
 *   01 and 02 are stored bytes, of which 01 resets the dictionary: length − 1 (2, big-endian), bytes
 *   80 and above is a chunk of LZMA. Bits 0 to 4 and the next 2 bytes are its decoded length − 1
 *     and 2 more bytes its coded length − 1. Bits 5 and 6 say what is reset: 0 nothing, 1 the state
 *     2 also the properties, which follow in one byte, 3 also the dictionary
 *
 * The decoded bytes are the dictionary: matches copy from what was written before. All of it is in memory, so the
 * caller gives the length that it can hold.
 */
import { SymbolsError } from '../symbols-error.ts'
import { damagedXz, type Output } from './output.ts'
import { RangeDecoder } from './range-decoder.ts'

const stateCount = 12
const lengthStates = 4
const alignBits = 4
const matchMinimum = 2

/** Decodes chunks from `at` and returns the offset behind them. */
export function decodeLzma2(input: Buffer, at: number, output: Output): number {
  const decoder = new LzmaDecoder(output)
  let offset = at
  let needsReset = true
  let needsProperties = true
  for (;;) {
    const control = byteAt(input, offset++)
    if (control === 0) return offset
    if (control === 1 || (control >= 0x80 && (control & 0x60) === 0x60)) {
      needsReset = false
      output.startDictionary()
    } else if (needsReset) throw damagedXz('The dictionary is not reset at its start.')
    if (control < 0x80) {
      if (control > 2) throw damagedXz('A chunk has an unknown kind.')
      const length = wordAt(input, offset) + 1
      offset += 2
      if (offset + length > input.length) throw damagedXz('A chunk is cut off.')
      output.append(input.subarray(offset, offset + length))
      offset += length
      continue
    }
    const length = ((control & 0x1f) << 16) + wordAt(input, offset) + 1
    const coded = wordAt(input, offset + 2) + 1
    offset += 4
    const reset = (control >> 5) & 3
    if (reset >= 2) {
      decoder.setProperties(byteAt(input, offset++))
      needsProperties = false
    } else if (needsProperties) throw damagedXz('A chunk has no properties.')
    if (reset >= 1) decoder.reset()
    if (offset + coded > input.length) throw damagedXz('A chunk is cut off.')
    decoder.decode(new RangeDecoder(input, offset, offset + coded), length)
    offset += coded
  }
}

function byteAt(input: Buffer, at: number): number {
  const byte = input[at]
  if (byte === undefined) throw damagedXz('It is cut off.')
  return byte
}

function wordAt(input: Buffer, at: number): number {
  return (byteAt(input, at) << 8) | byteAt(input, at + 1)
}

/** The probabilities of one kind of length. */
class LengthModel {
  readonly choice = newModel(2)
  readonly low = newModel(16 * 8)
  readonly middle = newModel(16 * 8)
  readonly high = newModel(256)

  reset(): void {
    for (const model of [this.choice, this.low, this.middle, this.high]) model.fill(half)
  }

  decode(range: RangeDecoder, position: number): number {
    if (range.bit(this.choice, 0) === 0) return range.tree(this.low, position * 8, 3)
    if (range.bit(this.choice, 1) === 0) return 8 + range.tree(this.middle, position * 8, 3)
    return 16 + range.tree(this.high, 0, 8)
  }
}

/** The middle of the scale of probabilities, 11 bits: both bits are equally likely. */
const half = 1024

function newModel(length: number): Uint16Array {
  return new Uint16Array(length).fill(half)
}

/** The LZMA decoder, whose state lives from chunk to chunk. */
class LzmaDecoder {
  readonly #output: Output
  #literalContext = 0
  #literalMask = 0
  #positionMask = 0
  #state = 0
  #distances: [number, number, number, number] = [0, 0, 0, 0]
  #literals = newModel(0)
  readonly #isMatch = newModel(stateCount * 16)
  readonly #isRepeat = newModel(stateCount)
  readonly #isRepeat0 = newModel(stateCount)
  readonly #isRepeat1 = newModel(stateCount)
  readonly #isRepeat2 = newModel(stateCount)
  readonly #isShortRepeat = newModel(stateCount * 16)
  readonly #slots = newModel(lengthStates * 64)
  readonly #special = newModel(128)
  readonly #align = newModel(1 << alignBits)
  readonly #matchLength = new LengthModel()
  readonly #repeatLength = new LengthModel()

  constructor(output: Output) {
    this.#output = output
  }

  setProperties(byte: number): void {
    const literalContext = byte % 9
    const literalPosition = Math.floor(byte / 9) % 5
    const position = Math.floor(byte / 45)
    if (position > 4 || literalContext + literalPosition > 4) throw damagedXz('Its properties are impossible.')
    this.#literalContext = literalContext
    this.#literalMask = (1 << literalPosition) - 1
    this.#positionMask = (1 << position) - 1
    this.#literals = newModel(0x300 << (literalContext + literalPosition))
  }

  reset(): void {
    this.#state = 0
    this.#distances = [0, 0, 0, 0]
    const models = [this.#literals, this.#isMatch, this.#isRepeat, this.#isRepeat0, this.#isRepeat1, this.#isRepeat2]
    for (const model of [...models, this.#isShortRepeat, this.#slots, this.#special, this.#align]) model.fill(half)
    this.#matchLength.reset()
    this.#repeatLength.reset()
  }

  decode(range: RangeDecoder, length: number): void {
    const output = this.#output
    const end = output.length + length
    while (output.length < end) {
      const position = output.position & this.#positionMask
      const state = this.#state
      if (range.bit(this.#isMatch, state * 16 + position) === 0) this.#literal(range)
      else if (range.bit(this.#isRepeat, state) === 0) this.#match(range, position, end)
      else this.#repeat(range, position, end)
    }
    range.finish()
  }

  #literal(range: RangeDecoder): void {
    const output = this.#output
    const before = output.back(0)
    const context =
      ((output.position & this.#literalMask) << this.#literalContext) + (before >> (8 - this.#literalContext))
    const base = 0x300 * context
    let symbol = 1
    if (this.#state >= 7) {
      let match = output.back(this.#distances[0])
      while (symbol < 0x100) {
        const expected = (match >> 7) & 1
        match <<= 1
        const bit = range.bit(this.#literals, base + ((1 + expected) << 8) + symbol)
        symbol = (symbol << 1) | bit
        if (bit !== expected) break
      }
    }
    while (symbol < 0x100) symbol = (symbol << 1) | range.bit(this.#literals, base + symbol)
    output.push(symbol & 0xff)
    this.#state = this.#state < 4 ? 0 : this.#state < 10 ? this.#state - 3 : this.#state - 6
  }

  #match(range: RangeDecoder, position: number, end: number): void {
    const length = this.#matchLength.decode(range, position)
    const [first, second, third] = this.#distances
    this.#distances = [this.#distance(range, Math.min(length, lengthStates - 1)), first, second, third]
    this.#state = this.#state < 7 ? 7 : 10
    this.#copy(length + matchMinimum, end)
  }

  #distance(range: RangeDecoder, lengthState: number): number {
    const slot = range.tree(this.#slots, lengthState * 64, 6)
    if (slot < 4) return slot
    const bits = (slot >> 1) - 1
    const base = (2 | (slot & 1)) * 2 ** bits
    if (slot < 14) return base + range.reverseTree(this.#special, base - slot, bits)
    return base + range.direct(bits - alignBits) * 16 + range.reverseTree(this.#align, 0, alignBits)
  }

  #repeat(range: RangeDecoder, position: number, end: number): void {
    const state = this.#state
    const [first, second, third, fourth] = this.#distances
    if (range.bit(this.#isRepeat0, state) === 0) {
      if (range.bit(this.#isShortRepeat, state * 16 + position) === 0) {
        this.#state = state < 7 ? 9 : 11
        this.#copy(1, end)
        return
      }
    } else if (range.bit(this.#isRepeat1, state) === 0) this.#distances = [second, first, third, fourth]
    else if (range.bit(this.#isRepeat2, state) === 0) this.#distances = [third, first, second, fourth]
    else this.#distances = [fourth, first, second, third]
    const length = this.#repeatLength.decode(range, position)
    this.#state = state < 7 ? 8 : 11
    this.#copy(length + matchMinimum, end)
  }

  #copy(length: number, end: number): void {
    if (this.#output.length + length > end) throw new SymbolsError('malformed-elf', 'A match of LZMA is too long.')
    this.#output.copy(this.#distances[0], length)
  }
}
