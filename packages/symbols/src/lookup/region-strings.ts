import { ByteWriter } from './byte-writer.ts'
import { stringBytesPerRegion } from './format.ts'

/** What strings are read from, by their numbers in the whole image. */
export interface StringSource {
  readName(id: number): Uint8Array
  readPath(id: number): Uint8Array
}

/** The strings of a region while its blocks are filled; see format.ts. Used again for each region. */
export class RegionStrings {
  readonly #source: StringSource
  readonly #writer = new ByteWriter()
  readonly #names = new RegionNumbers()
  readonly #paths = new RegionNumbers()
  #texts: Uint8Array[] = []
  #bytes = 0

  constructor(source: StringSource) {
    this.#source = source
  }

  get isFull(): boolean {
    return this.#bytes >= stringBytesPerRegion
  }

  /** The number that a name has in this region. */
  toName(id: number): number {
    if (id === 0) return 0
    return this.#names.find(id) ?? this.#names.set(id, this.#add(this.#source.readName(id)))
  }

  toPath(id: number): number {
    if (id === 0) return 0
    return this.#paths.find(id) ?? this.#paths.set(id, this.#add(this.#source.readPath(id)))
  }

  /** The region's bytes, good until the next call; there are no strings then. */
  finish(): Buffer {
    const writer = this.#writer
    writer.clear()
    writer.uleb(this.#texts.length)
    for (const text of this.#texts) writer.uleb(text.length)
    for (const text of this.#texts) writer.append(text)
    this.#names.clear()
    this.#paths.clear()
    this.#texts = []
    this.#bytes = 0
    return writer.view()
  }

  #add(text: Uint8Array): number {
    this.#bytes += text.length
    return text.length === 0 ? 0 : this.#texts.push(text)
  }
}

/** Numbers in the region at hand for numbers in the image. To clear is to count on: what an earlier region said no longer holds. */
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
