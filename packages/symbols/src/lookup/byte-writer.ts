import { outOfRange } from '@fairlead/invariant'

/** The fewest bytes for a block copy. Fewer bytes are copied faster one by one. */
const shortest = 32

/**
 * A growing buffer with methods for numbers and for the columns that format.ts describes. It is used again for each
 * part.
 */
export class ByteWriter {
  #bytes = Buffer.allocUnsafeSlow(512 * 1024)
  length = 0

  clear(): void {
    this.length = 0
  }

  /** Appends a number of 32 bits. */
  word(value: number): void {
    this.#reserve(4)
    this.length = this.#bytes.writeUInt32LE(value, this.length)
  }

  /**
   * Appends a column of the first `count` numbers, with 16 bits each if all of them fit, else 32. The buffer must end
   * at a multiple of 4 bytes before it.
   */
  column(values: Uint32Array, count: number): void {
    let all = 0
    for (let index = 0; index < count; index++) all |= values[index] ?? outOfRange()
    const width = all >>> 16 === 0 ? 2 : 4
    this.columnOfWidth(values, count, width)
  }

  columnOfWidth(values: Uint32Array, count: number, width: 2 | 4): void {
    this.word(width)
    this.#reserve(count * 4 + 4)
    const { buffer, byteOffset } = this.#bytes
    const start = byteOffset + this.length
    const numbers = width === 2 ? new Uint16Array(buffer, start, count + 1) : new Uint32Array(buffer, start, count)
    for (let index = 0; index < count; index++) numbers[index] = values[index] ?? outOfRange()
    if (width === 2) numbers[count] = 0
    this.length += Math.ceil((count * width) / 4) * 4
  }

  byte(value: number): void {
    this.#reserve(1)
    this.#bytes[this.length++] = value
  }

  /** Appends a number in decimal digits. */
  digits(value: number): void {
    this.#reserve(10)
    let rest = value
    let scale = 1
    while (scale * 10 <= rest) scale *= 10
    for (; scale >= 1; scale /= 10) {
      const digit = Math.floor(rest / scale)
      this.#bytes[this.length++] = 0x30 + digit
      rest -= digit * scale
    }
  }

  append(bytes: Buffer, start = 0, end = bytes.length): void {
    this.#reserve(end - start)
    if (end - start > shortest) {
      this.length += bytes.copy(this.#bytes, this.length, start, end)
      return
    }
    for (let from = start; from < end; from++) this.#bytes[this.length++] = bytes[from] ?? outOfRange()
  }

  /** A view of the bytes, valid until the next write. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.length)
  }

  #reserve(count: number): void {
    if (this.length + count <= this.#bytes.length) return
    const wider = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length, this.length + count) * 2)
    wider.set(this.#bytes.subarray(0, this.length))
    this.#bytes = wider
  }
}
