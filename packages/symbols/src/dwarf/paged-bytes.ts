import type { ByteSource } from '@fairlead/binary'
import type { FileRange } from '../macho/image.ts'

const pageBytes = 64 * 1024
const pagesPerGeneration = 256

/**
 * A part of a file that is read here and there, in pages of 64 KB. Two generations of pages are kept, at most 32 MB: when the younger one
 * is full it becomes the older one, so that pages in use survive without a list to be kept in order.
 */
export class PagedBytes {
  readonly size: number
  readonly #source: ByteSource
  readonly #offset: number
  #young = new Map<number, Buffer>()
  #old = new Map<number, Buffer>()
  #lastIndex = -1
  #last: Buffer = Buffer.alloc(0)

  constructor(source: ByteSource, range: FileRange | undefined) {
    this.#source = source
    this.#offset = range?.offset ?? 0
    this.size = range?.size ?? 0
  }

  /** The bytes at `offset`, at most `length`: fewer at the end of the part. */
  read(offset: number, length: number): Buffer {
    const end = Math.min(this.size, offset + length)
    if (!(offset >= 0 && offset < end)) return Buffer.alloc(0)
    const page = this.#page(Math.floor(offset / pageBytes))
    const start = offset % pageBytes
    if (start + (end - offset) <= page.length) return page.subarray(start, start + (end - offset))
    return this.#source.read(this.#offset + offset, end - offset)
  }

  /** The string at `offset` up to its zero byte, cut at `maxBytes`; undefined outside of the part. */
  readString(offset: number, maxBytes: number): Buffer | undefined {
    if (!(offset >= 0 && offset < this.size)) return undefined
    const page = this.#page(Math.floor(offset / pageBytes))
    const start = offset % pageBytes
    const zero = page.indexOf(0, start)
    if (zero >= 0) return page.subarray(start, Math.min(zero, start + maxBytes))
    const bytes = this.read(offset, maxBytes)
    const end = bytes.indexOf(0)
    return end < 0 ? bytes : bytes.subarray(0, end)
  }

  #page(index: number): Buffer {
    if (index === this.#lastIndex) return this.#last
    const page = this.#young.get(index) ?? this.#promote(index)
    this.#lastIndex = index
    this.#last = page
    return page
  }

  #promote(index: number): Buffer {
    const start = index * pageBytes
    const page = this.#old.get(index) ?? this.#source.read(this.#offset + start, Math.min(pageBytes, this.size - start))
    if (this.#young.size >= pagesPerGeneration) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(index, page)
    return page
  }
}
