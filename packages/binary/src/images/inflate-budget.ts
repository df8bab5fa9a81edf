import { BinaryError } from '../binary-error.ts'

/** Counts the bytes that several streams give, and ends them when together they give more than allowed. */
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
