import { outOfRange } from '@fairlead/invariant'

/**
 * A reader of bytes that only moves forward. Reading past `end` sets `failed`, gives zero and does not move, so that
 * callers check once at the end of a record and not at each field. Numbers are little-endian. 64-bit numbers above 2^53
 * lose their low bits; they are never a valid address or offset here.
 */
export class Cursor {
  bytes: Uint8Array
  at: number
  end: number
  failed = false

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.bytes = bytes
    this.at = at
    this.end = Math.min(end, bytes.length)
  }

  skip(length: number): void {
    if (length <= this.end - this.at) this.at += length
    else this.fail()
  }

  u8(): number {
    if (this.at >= this.end) return this.fail()
    return this.bytes[this.at++] ?? outOfRange()
  }

  u16(): number {
    if (this.end - this.at < 2) return this.fail()
    const { bytes, at } = this
    this.at += 2
    return (bytes[at] ?? outOfRange()) | ((bytes[at + 1] ?? outOfRange()) << 8)
  }

  u24(): number {
    return this.u16() + this.u8() * 0x1_0000
  }

  u32(): number {
    if (this.end - this.at < 4) return this.fail()
    const { bytes, at } = this
    this.at += 4
    const low =
      (bytes[at] ?? outOfRange()) | ((bytes[at + 1] ?? outOfRange()) << 8) | ((bytes[at + 2] ?? outOfRange()) << 16)
    return low + (bytes[at + 3] ?? outOfRange()) * 0x100_0000
  }

  u64(): number {
    return this.u32() + this.u32() * 0x1_0000_0000
  }

  /** Reads an unsigned LEB128 number. More than ten bytes are malformed, because 64 bits take no more. */
  uleb(): number {
    const { bytes, at } = this
    if (at >= this.end) return this.fail()
    // Nearly all numbers have one byte or two.
    const first = bytes[at] ?? outOfRange()
    this.at = at + 1
    if (first < 0x80) return first
    let value = first & 0x7f
    let scale = 0x80
    for (let count = 1; count < 10; count++) {
      const byte = this.u8()
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
      scale *= 0x80
    }
    return this.fail()
  }

  /** Reads a signed LEB128 number. */
  sleb(): number {
    let value = 0
    let scale = 1
    for (let count = 0; count < 10; count++) {
      const byte = this.u8()
      value += (byte & 0x7f) * scale
      scale *= 0x80
      if (byte < 0x80) return (byte & 0x40) === 0 ? value : value - scale
    }
    return this.fail()
  }

  /** Skips a string that ends with a zero byte and returns the offset at which it starts. */
  skipString(): number {
    const start = this.at
    const zero = this.bytes.indexOf(0, start)
    if (zero < 0 || zero >= this.end) this.fail()
    else this.at = zero + 1
    return start
  }

  fail(): 0 {
    this.failed = true
    this.at = this.end
    return 0
  }
}
