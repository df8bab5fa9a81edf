import { outOfRange } from '@fairlead/invariant'

/** A growing buffer to which bytes and text are appended. */
export class ByteOutput {
  length = 0
  readonly #capacity: number
  #bytes: Buffer

  constructor(capacity: number) {
    this.#capacity = capacity
    this.#bytes = Buffer.allocUnsafeSlow(capacity)
  }

  append(bytes: Uint8Array, start: number, end: number): void {
    this.#makeRoom(end - start)
    const written = this.#bytes
    let at = this.length
    // Most pieces are short names, for which this loop is faster than a native copy. `from` is below `end`, so each
    // byte exists.
    for (let from = start; from < end; from++) written[at++] = bytes[from] ?? outOfRange()
    this.length = at
  }

  appendByte(byte: number): void {
    this.#makeRoom(1)
    this.#bytes[this.length++] = byte
  }

  /** Appends text that is pure ASCII. */
  appendAscii(text: string): void {
    this.#makeRoom(text.length)
    for (let at = 0; at < text.length; at++) this.#bytes[this.length++] = text.charCodeAt(at)
  }

  /** Appends the decimal digits of an integer from 0 to 2³¹ − 1. */
  appendNumber(value: number): void {
    this.#makeRoom(10)
    let digits = 1
    for (let rest = value; rest >= 10; rest = (rest / 10) | 0) digits++
    this.length += digits
    for (let at = this.length - 1, rest = value; digits > 0; digits--, at--) {
      const next = (rest / 10) | 0
      this.#bytes[at] = 0x30 + rest - next * 10
      rest = next
    }
  }

  appendText(text: string): void {
    this.#makeRoom(text.length * 3)
    this.length += this.#bytes.write(text, this.length)
  }

  /** Copies everything from offset `start` to the end into `to`, beginning at its offset `at`. */
  copy(to: Buffer, at: number, start: number): void {
    this.#bytes.copy(to, at, start, this.length)
  }

  /** Returns the bytes appended since the last call and starts over. The caller may keep them. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.length)
    this.length = 0
    if (4 * taken.length < this.#capacity) return Buffer.from(taken)
    this.#bytes = Buffer.allocUnsafeSlow(this.#capacity)
    return taken
  }

  #makeRoom(count: number): void {
    if (this.length + count <= this.#bytes.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, this.length + count))
    grown.set(this.#bytes.subarray(0, this.length))
    this.#bytes = grown
  }
}
