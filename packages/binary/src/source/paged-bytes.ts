import type { ByteSource } from './byte-source.ts'

/** The methods of Buffer that parsers need; a Buffer satisfies it. A read past the end throws a RangeError. */
export interface Bytes {
  readonly length: number
  readUInt8(at: number): number
  readUInt16LE(at: number): number
  readUInt32LE(at: number): number
  subarray(start: number, end: number): Buffer
}

const pageBits = 14
const pageSize = 1 << pageBits
const maxPages = 512

/** Reads a source of any size through a page cache of at most 8 MB. */
export class PagedBytes implements Bytes {
  readonly length: number
  readonly #source: ByteSource
  readonly #pages = new Map<number, Buffer>()

  constructor(source: ByteSource) {
    this.#source = source
    this.length = source.size
  }

  readUInt8(at: number): number {
    return this.#page(at, 1).readUInt8(at & (pageSize - 1))
  }

  readUInt16LE(at: number): number {
    const inPage = at & (pageSize - 1)
    return inPage + 2 <= pageSize ? this.#page(at, 2).readUInt16LE(inPage) : this.subarray(at, at + 2).readUInt16LE()
  }

  readUInt32LE(at: number): number {
    const inPage = at & (pageSize - 1)
    return inPage + 4 <= pageSize ? this.#page(at, 4).readUInt32LE(inPage) : this.subarray(at, at + 4).readUInt32LE()
  }

  subarray(start: number, end: number): Buffer {
    const last = Math.min(end, this.length)
    if (start < 0 || start > last) throw new RangeError('past the end')
    return this.#source.read(start, last - start)
  }

  #page(at: number, length: number): Buffer {
    if (at < 0 || at + length > this.length) throw new RangeError('past the end')
    const index = Math.floor(at / pageSize)
    const known = this.#pages.get(index)
    if (known) return known
    if (this.#pages.size >= maxPages) this.#pages.clear()
    const start = index * pageSize
    const page = this.#source.read(start, Math.min(pageSize, this.length - start))
    this.#pages.set(index, page)
    return page
  }
}
