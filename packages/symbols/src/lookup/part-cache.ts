/** Parts that were read, up to a number of bytes: in two generations, so that those in use survive when the older one is let go. */
export class PartCache<Part extends { readonly byteLength: number }> {
  readonly #maxBytes: number
  #young = new Map<number, Part>()
  #old = new Map<number, Part>()
  #youngBytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The part of a number, read where it is not there. */
  require(number: number, read: () => Part): Part {
    const known = this.#young.get(number)
    if (known) return known
    const part = this.#old.get(number) ?? read()
    if (this.#youngBytes + part.byteLength > this.#maxBytes / 2) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngBytes = 0
    }
    this.#young.set(number, part)
    this.#youngBytes += part.byteLength
    return part
  }
}
