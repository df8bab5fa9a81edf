/** Builds bytes in order, little-endian, for fixtures. */
export class ByteBuilder {
  readonly #bytes: number[] = []

  get length(): number {
    return this.#bytes.length
  }

  u8(...values: number[]): this {
    for (const value of values) this.#bytes.push(value & 0xff)
    return this
  }

  u16(value: number): this {
    return this.u8(value, value >>> 8)
  }

  u32(value: number): this {
    return this.u8(value, value >>> 8, value >>> 16, value >>> 24)
  }

  u64(value: number): this {
    return this.u32(value % 0x1_0000_0000).u32(Math.floor(value / 0x1_0000_0000))
  }

  uleb(value: number): this {
    let rest = value
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.u8((rest & 0x7f) | 0x80)
    return this.u8(rest)
  }

  sleb(value: number): this {
    let rest = value
    while (rest < -64 || rest > 63) {
      this.u8((rest & 0x7f) | 0x80)
      rest >>= 7
    }
    return this.u8(rest & 0x7f)
  }

  string(text: string): this {
    return this.append(Buffer.from(`${text}\0`))
  }

  /** Appends text of a fixed length, padded with zeros. */
  fixed(text: string, length: number): this {
    return this.append(Buffer.from(text.padEnd(length, '\0').slice(0, length), 'latin1'))
  }

  append(bytes: Uint8Array): this {
    for (const byte of bytes) this.#bytes.push(byte)
    return this
  }

  toBuffer(): Buffer {
    return Buffer.from(this.#bytes)
  }
}
