/** Blocks by number, up to a total length; those not asked for since the last round of the clock's hand go first. */
export class BlockCache {
  readonly #limit: number
  readonly #blocks: (Buffer | undefined)[]
  readonly #isUsed: Uint8Array
  #length = 0
  #hand = 0

  constructor(count: number, limit: number) {
    this.#limit = limit
    this.#blocks = Array.from<Buffer | undefined>({ length: count })
    this.#isUsed = new Uint8Array(count)
  }

  get(number: number): Buffer | undefined {
    this.#isUsed[number] = 1
    return this.#blocks[number]
  }

  /** Adds a block that is not there. */
  add(number: number, block: Buffer): void {
    this.#length += block.length
    while (this.#length > this.#limit && this.#length > block.length) this.#turn()
    this.#blocks[number] = block
    this.#isUsed[number] = 1
  }

  #turn(): void {
    this.#hand = (this.#hand + 1) % this.#blocks.length
    const block = this.#isUsed[this.#hand] === 1 ? undefined : this.#blocks[this.#hand]
    this.#isUsed[this.#hand] = 0
    if (!block) return
    this.#length -= block.length
    this.#blocks[this.#hand] = undefined
  }
}
