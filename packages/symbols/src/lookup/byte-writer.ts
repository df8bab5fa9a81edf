/** Bytes that grow, with numbers as ULEB128. Used again for each block. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(512 * 1024)
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

  /** The first `count` numbers of a column. */
  column(values: Uint32Array, count: number): void {
    this.#reserve(count * 5)
    const bytes = this.#bytes
    let at = this.length
    for (let index = 0; index < count; index++) {
      let rest = values[index] as number
      while (rest >= 0x80) {
        bytes[at++] = (rest & 0x7f) | 0x80
        rest >>>= 7
      }
      bytes[at++] = rest
    }
    this.length = at
  }

  append(bytes: Buffer, start = 0, end = bytes.length): void {
    this.#reserve(end - start)
    this.length += bytes.copy(this.#bytes, this.length, start, end)
  }

  /** A view that is good until the next write. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.length)
  }

  #reserve(count: number): void {
    if (this.length + count <= this.#bytes.length) return
    const wider = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.length + count))
    wider.set(this.#bytes.subarray(0, this.length))
    this.#bytes = wider
  }
}
