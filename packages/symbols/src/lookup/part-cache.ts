/**
 * Cache of parts with a limit in bytes. It keeps two generations, so that parts in use survive when the older one is
 * dropped. It is no least-recently-used cache, such as that of `lru-cache`: a part that is read again is not moved, so
 * that a hit in the young generation, which nearly every address is, costs one look-up and no write.
 */
export class PartCache<Part extends { readonly byteLength: number }> {
  readonly #maxBytes: number
  #young = new Map<number, Part>()
  #old = new Map<number, Part>()
  #youngBytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Returns a part by its number, and reads it if it is not in the cache. */
  require(number: number, read: () => Part): Part {
    const young = this.#young.get(number)
    if (young) return young
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
