/** Reads runs of fields, each prefixed with its length (u32). A truncated field throws a RangeError. */
export class LengthPrefixed {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  uint32(): number {
    const value = this.#bytes.readUInt32LE(this.#at)
    this.#at += 4
    return value
  }

  field(): Buffer {
    const length = this.uint32()
    const end = this.#at + length
    if (end > this.#bytes.length) throw new RangeError('a field reaches past the end')
    const field = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return field
  }

  /** Returns the remaining bytes, which have no length prefix. */
  rest(): Buffer {
    const rest = this.#bytes.subarray(this.#at)
    this.#at = this.#bytes.length
    return rest
  }

  /** Returns the items of a list, which is itself a length-prefixed field. */
  list(maxItems = 100): LengthPrefixed[] {
    const inner = new LengthPrefixed(this.field())
    const items: LengthPrefixed[] = []
    while (!inner.isAtEnd) {
      if (items.length >= maxItems) throw new RangeError('a list is too long')
      items.push(new LengthPrefixed(inner.field()))
    }
    return items
  }
}
