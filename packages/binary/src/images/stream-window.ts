/** Reads ranges of a stream, which must be requested in ascending order. It holds one range and one chunk. */
export class StreamWindow {
  readonly #chunks: AsyncIterator<Buffer>
  #held: Buffer = Buffer.alloc(0)
  /** The offset of the first byte that is held. */
  #start = 0

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** Returns fewer bytes if the file ends first, and none of a range that was passed already. */
  async read(offset: number, length: number): Promise<Buffer> {
    if (offset < this.#start) return Buffer.alloc(0)
    while (this.#start + this.#held.length < offset + length) {
      const next = await this.#chunks.next()
      if (next.done) break
      this.#skipTo(offset)
      this.#held = Buffer.concat([this.#held, next.value])
    }
    this.#skipTo(offset)
    return this.#held.subarray(0, length)
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  #skipTo(offset: number): void {
    const skipped = Math.min(Math.max(0, offset - this.#start), this.#held.length)
    this.#held = this.#held.subarray(skipped)
    this.#start += skipped
  }
}
