/** Collects a text of any length: it keeps the start and optionally the end, and drops the middle. */
export class KeptText {
  readonly #maxHead: number
  readonly #maxTail: number
  #head = ''
  #tail: string[] = []
  #tailLength = 0
  #omitted = 0

  /** Limits in UTF-16 code units. */
  constructor(maxHead: number, maxTail = 0) {
    this.#maxHead = maxHead
    this.#maxTail = maxTail
  }

  get isEmpty(): boolean {
    return this.#head === ''
  }

  append(piece: string): void {
    const room = this.#maxHead - this.#head.length
    if (room >= piece.length) {
      this.#head += piece
      return
    }
    this.#head += piece.slice(0, room)
    const rest = piece.slice(room)
    if (this.#maxTail === 0) {
      this.#omitted += rest.length
      return
    }
    this.#tail.push(rest)
    this.#tailLength += rest.length
    for (;;) {
      const [oldest] = this.#tail
      if (oldest === undefined || this.#tailLength - oldest.length < this.#maxTail) return
      this.#tail.shift()
      this.#tailLength -= oldest.length
      this.#omitted += oldest.length
    }
  }

  toString(): string {
    const joined = this.#tail.join('')
    const tail = joined.length > this.#maxTail ? joined.slice(-this.#maxTail) : joined
    const omitted = this.#omitted + joined.length - tail.length
    return omitted === 0 ? this.#head + tail : `${this.#head}\n[… ${omitted} characters left out …]\n${tail}`
  }
}
