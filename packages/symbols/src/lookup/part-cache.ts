/**
 * Cache of parts with a limit in bytes. It keeps two generations, so that parts in use survive when the older one is
 * dropped.
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
