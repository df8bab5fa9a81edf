/**
 * Binary property lists ("bplist00"). Numbers are big-endian.
 *
 *   header   8 bytes "bplist0?"
 *   objects  a marker byte, its low half often a count (15: an integer object with the count follows)
 *              0 null, false (8), true (9) · 1 integer of 2^n bytes · 2 real of 2^n bytes
 *              33 date: seconds since 2001-01-01 · 4 data · 5 ASCII · 6 UTF-16 · 8 UID · A array · C set
 *              D dictionary: all key references, then all values
 *   offsets  one integer of `offsetSize` bytes per object
 *   trailer  the last 32 bytes: 6 offsetSize · 7 referenceSize · 8 object count · 16 top object
 *              24 start of the offsets
 *
 * Objects refer to objects by index, so a file of 400 bytes can be a graph with 2^32 paths, or a cycle. Each object is
 * therefore decoded once, a cycle is refused, and so is a graph that would be too large if written out as a tree. In a
 * well-formed file objects do not overlap: their sizes add up to less than the file.
 */
import { BinaryError } from '../binary-error.ts'
import type { PlistDictionary, PlistLimits, PlistValue } from './plist-value.ts'

const trailerLength = 32
const appleEpoch = Date.UTC(2001, 0, 1)

export function parseBinaryPlist(bytes: Buffer, limits: PlistLimits): PlistValue {
  if (bytes.length < 8 + trailerLength) throw malformed('It is too short.')
  return new BinaryPlist(bytes, limits).read()
}

interface Decoded {
  value: PlistValue
  /** Size of the value written out as a tree, roughly in bytes. */
  weight: number
}

class BinaryPlist {
  readonly #bytes: Buffer
  readonly #limits: PlistLimits
  readonly #offsetSize: number
  readonly #referenceSize: number
  readonly #top: number
  readonly #count: number
  readonly #tableOffset: number
  readonly #decoded = new Map<number, Decoded | 'open'>()
  #bytesLeft: number

  constructor(bytes: Buffer, limits: PlistLimits) {
    const trailer = bytes.length - trailerLength
    this.#bytes = bytes
    this.#limits = limits
    this.#bytesLeft = 2 * bytes.length
    this.#offsetSize = bytes.readUInt8(trailer + 6)
    this.#referenceSize = bytes.readUInt8(trailer + 7)
    this.#count = toNumber(bytes.readBigUInt64BE(trailer + 8), trailer)
    this.#top = toNumber(bytes.readBigUInt64BE(trailer + 16), trailer)
    this.#tableOffset = toNumber(bytes.readBigUInt64BE(trailer + 24), trailer)
    if (!isSize(this.#offsetSize) || !isSize(this.#referenceSize)) throw malformed('It gives an impossible size.')
    if (this.#count > limits.maxObjects) throw new BinaryError('too-large', `It has ${this.#count} objects.`)
    if (this.#tableOffset + this.#count * this.#offsetSize > trailer) throw malformed('Its offsets lie outside of it.')
  }

  read(): PlistValue {
    return this.#object(this.#top, 0).value
  }

  #object(index: number, depth: number): Decoded {
    const known = this.#decoded.get(index)
    if (known === 'open') throw malformed('An object contains itself.')
    if (known) return known
    if (depth > this.#limits.maxDepth) throw new BinaryError('too-large', 'The property list is nested too deeply.')
    this.#decoded.set(index, 'open')
    const decoded = this.#decode(this.#offsetOf(index), depth)
    if (decoded.weight > this.#limits.maxExpandedBytes) {
      throw new BinaryError('too-large', 'The property list refers to itself too often.')
    }
    this.#decoded.set(index, decoded)
    return decoded
  }

  #offsetOf(index: number): number {
    if (index >= this.#count) throw malformed('A reference points at no object.')
    const offset = this.#bytes.readUIntBE(this.#tableOffset + index * this.#offsetSize, this.#offsetSize)
    if (offset < 8 || offset >= this.#tableOffset) throw malformed('An object lies outside of it.')
    return offset
  }

  #decode(offset: number, depth: number): Decoded {
    const marker = this.#bytes.readUInt8(offset)
    const low = marker & 0x0f
    switch (marker >> 4) {
      case 0x0:
        return { value: toSingleton(low), weight: 8 }
      case 0x1:
        return { value: this.#integer(offset), weight: 8 }
      case 0x2:
        return { value: this.#real(offset + 1, 2 ** low), weight: 8 }
      case 0x3:
        return { value: this.#date(offset + 1), weight: 24 }
      case 0x8:
        return { value: toUid(this.#take(offset + 1, low + 1)), weight: 24 }
    }
    const { count, start } = this.#countOf(offset)
    switch (marker >> 4) {
      case 0x4:
        return { value: this.#take(start, count), weight: 8 + count }
      case 0x5:
        return { value: this.#take(start, count).toString('latin1'), weight: 8 + count }
      case 0x6:
        return {
          value: Buffer.from(this.#take(start, count * 2))
            .swap16()
            .toString('utf16le'),
          weight: 8 + count * 2,
        }
      case 0xa:
      case 0xc:
        return this.#array(start, count, depth)
      case 0xd:
        return this.#dictionary(start, count, depth)
      default:
        throw malformed('An object is of an unknown type.')
    }
  }

  /** The count in the marker, or in the integer after it. */
  #countOf(offset: number): { count: number; start: number } {
    const low = this.#bytes.readUInt8(offset) & 0x0f
    if (low !== 0x0f) return { count: low, start: offset + 1 }
    const marker = this.#take(offset + 1, 1).readUInt8(0)
    const count = this.#integer(offset + 1)
    if (marker >> 4 !== 1 || typeof count === 'bigint' || count < 0) throw malformed('A count is impossible.')
    return { count, start: offset + 2 + 2 ** (marker & 0x0f) }
  }

  /**
   * Integers of one, two and four bytes are unsigned, those of eight are signed. Sixteen bytes are used for values past
   * the signed 64-bit range.
   */
  #integer(offset: number): number | bigint {
    const length = 2 ** (this.#bytes.readUInt8(offset) & 0x0f)
    const bytes = this.#take(offset + 1, length)
    if (length <= 4) return bytes.readUIntBE(0, length)
    if (length > 16) throw malformed('An integer is too long.')
    const value =
      length === 8
        ? bytes.readBigInt64BE()
        : BigInt.asIntN(128, (bytes.readBigUInt64BE() << 64n) | bytes.readBigUInt64BE(8))
    return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value
  }

  #real(offset: number, length: number): number {
    if (length === 4) return this.#take(offset, 4).readFloatBE()
    if (length === 8) return this.#take(offset, 8).readDoubleBE()
    throw malformed('A real is neither of four nor of eight bytes.')
  }

  #date(offset: number): Date {
    const date = new Date(appleEpoch + this.#take(offset, 8).readDoubleBE() * 1000)
    if (Number.isNaN(date.getTime())) throw malformed('A date is none.')
    return date
  }

  #array(start: number, count: number, depth: number): Decoded {
    const references = this.#take(start, count * this.#referenceSize)
    const value: PlistValue[] = []
    let weight = 8
    for (let index = 0; index < count; index++) {
      const item = this.#object(this.#reference(references, index), depth + 1)
      weight += item.weight
      value.push(item.value)
    }
    return { value, weight }
  }

  #dictionary(start: number, count: number, depth: number): Decoded {
    const references = this.#take(start, count * 2 * this.#referenceSize)
    const value: PlistDictionary = Object.create(null)
    let weight = 8
    for (let index = 0; index < count; index++) {
      const key = this.#object(this.#reference(references, index), depth + 1)
      if (typeof key.value !== 'string') throw malformed('A key is not a string.')
      const item = this.#object(this.#reference(references, count + index), depth + 1)
      weight += key.weight + item.weight
      value[key.value] = item.value
    }
    return { value, weight }
  }

  #reference(references: Buffer, index: number): number {
    return references.readUIntBE(index * this.#referenceSize, this.#referenceSize)
  }

  #take(offset: number, length: number): Buffer {
    if (offset + length > this.#tableOffset) throw malformed('An object reaches past the end.')
    this.#bytesLeft -= length
    if (this.#bytesLeft < 0) throw malformed('Its objects overlap.')
    return this.#bytes.subarray(offset, offset + length)
  }
}

function toSingleton(low: number): boolean | null {
  if (low === 0) return null
  if (low === 8 || low === 9) return low === 9
  throw malformed('An object is of an unknown type.')
}

function toUid(bytes: Buffer): PlistDictionary {
  if (bytes.length > 6) throw malformed('A UID is too long.')
  const uid: PlistDictionary = Object.create(null)
  uid['CF$UID'] = bytes.readUIntBE(0, bytes.length)
  return uid
}

function toNumber(value: bigint, limit: number): number {
  if (value > BigInt(limit)) throw malformed('A number in its trailer is larger than the list.')
  return Number(value)
}

/** Node reads integers of up to six bytes. A wider offset would lie outside any property list within our size limit. */
function isSize(size: number): boolean {
  return size >= 1 && size <= 6
}

function malformed(detail: string): BinaryError {
  return new BinaryError('malformed-plist', detail)
}
