import { BinaryError } from '../binary-error.ts'

/** Counts the bytes of several streams, and ends them when their sum exceeds the limit. */
export class InflateBudget {
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get isSpent(): boolean {
    return this.#bytes > this.#maxBytes
  }

  /** @throws BinaryError `too-large` when the budget is spent. */
  async *limit(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
    for await (const chunk of chunks) {
      this.#bytes += chunk.length
      if (this.isSpent) throw new BinaryError('too-large', `More than ${this.#maxBytes} bytes would be inflated.`)
      yield chunk
    }
  }
}
