import { ByteWriter } from './byte-writer.ts'
import { stringBytesPerRegion } from './format.ts'

/** Source of strings by their numbers in the whole image. Each method appends the bytes of one string, or nothing. */
export interface StringSource {
  appendName(id: number, writer: ByteWriter): void
  appendPath(id: number, writer: ByteWriter): void
}

/**
 * Collects the strings of a region while its blocks are filled, and encodes them as format.ts describes. It is used
 * again for each region.
 */
export class RegionStrings {
  readonly #source: StringSource
  readonly #writer = new ByteWriter()
  readonly #names = new RegionNumbers()
  readonly #paths = new RegionNumbers()
  readonly #text = new ByteWriter()
  #lengths = new Uint32Array(4096)
  #count = 0

  constructor(source: StringSource) {
    this.#source = source
  }

  get isFull(): boolean {
    return this.#text.length >= stringBytesPerRegion
  }

  /** The number of a name in this region. */
  toName(id: number): number {
    if (id === 0) return 0
    const known = this.#names.find(id)
    if (known !== undefined) return known
    const start = this.#text.length
    this.#source.appendName(id, this.#text)
    return this.#names.set(id, this.#add(start))
  }

  toPath(id: number): number {
    if (id === 0) return 0
    const known = this.#paths.find(id)
    if (known !== undefined) return known
    const start = this.#text.length
    this.#source.appendPath(id, this.#text)
    return this.#paths.set(id, this.#add(start))
  }

  /** Encodes the region and empties the collection. The bytes are valid until the next call. */
  finish(): Buffer {
    const writer = this.#writer
    writer.clear()
    writer.word(this.#count)
    writer.column(this.#lengths, this.#count)
    writer.append(this.#text.view())
    this.#text.clear()
    this.#count = 0
    this.#names.clear()
    this.#paths.clear()
    return writer.view()
  }

  /** Numbers the string that was appended at `start`. */
  #add(start: number): number {
    const length = this.#text.length - start
    if (length === 0) return 0
    if (this.#count === this.#lengths.length) {
      const before = this.#lengths
      this.#lengths = new Uint32Array(before.length * 2)
      this.#lengths.set(before)
    }
    this.#lengths[this.#count] = length
    return ++this.#count
  }
}

/**
 * Maps numbers in the image to numbers in the current region. It is cleared by raising a counter: entries of earlier
 * regions are then out of date.
 */
class RegionNumbers {
  #local = new Uint32Array(4096)
  #region = new Uint32Array(4096)
  #current = 1

  find(id: number): number | undefined {
    return this.#region[id] === this.#current ? this.#local[id] : undefined
  }

  set(id: number, local: number): number {
    if (id >= this.#local.length) {
      const capacity = Math.max(id + 1, this.#local.length * 2)
      const [before, beforeRegion] = [this.#local, this.#region]
      this.#local = new Uint32Array(capacity)
      this.#local.set(before)
      this.#region = new Uint32Array(capacity)
      this.#region.set(beforeRegion)
    }
    this.#local[id] = local
    this.#region[id] = this.#current
    return local
  }

  clear(): void {
    this.#current++
  }
}
