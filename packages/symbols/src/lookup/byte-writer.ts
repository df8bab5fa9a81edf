/** Bytes that grow, with numbers as ULEB128. Used again for each block. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(256 * 1024)
  length = 0

  clear(): void {
    this.length = 0
  }

  /** A number of at most 32 bits. */
  uleb(value: number): void {
    this.#reserve(5)
    let rest = value >>> 0
    while (rest >= 0x80) {
      this.#bytes[this.length++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.#bytes[this.length++] = rest
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  copy(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.length))
  }

  #reserve(count: number): void {
    if (this.length + count <= this.#bytes.length) return
    const wider = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.length + count))
    wider.set(this.#bytes.subarray(0, this.length))
    this.#bytes = wider
  }
}
