import type { FilePart } from '../bytes/file-part.ts'

const pageBytes = 64 * 1024
const pagesPerGeneration = 256

/**
 * A part of a file that is read at random offsets, in pages of 64 KB. Two generations of pages are kept, at most 32 MB:
 * when the younger one is full it becomes the older one. Pages in use survive that way without a list of uses, and the
 * memory of dropped pages is filled again.
 * The returned bytes are views of pages, valid until the next hundreds of reads; callers use them at once.
 */
export class PagedBytes {
  readonly size: number
  readonly #part: FilePart | undefined
  #young = new Map<number, Buffer>()
  #old = new Map<number, Buffer>()
  #unused: Buffer[] = []
  #lastIndex = -1
  #last: Buffer = Buffer.alloc(0)

  constructor(part: FilePart | undefined) {
    this.#part = part
    this.size = part?.size ?? 0
  }

  /** Reads at most `length` bytes at `offset`: fewer at the end of the part. */
  read(offset: number, length: number): Buffer {
    const end = Math.min(this.size, offset + length)
    if (!(offset >= 0 && offset < end)) return Buffer.alloc(0)
    const page = this.#page(Math.floor(offset / pageBytes))
    const start = offset % pageBytes
    if (start + (end - offset) <= pageBytes) return page.subarray(start, start + (end - offset))
    return this.#part?.source.read(this.#part.offset + offset, end - offset) ?? Buffer.alloc(0)
  }

  /**
   * Reads a little-endian number of 4 or 8 bytes without making a view of them, because it is called for millions of
   * numbers. Undefined outside of the part.
   */
  readNumber(offset: number, length: 4 | 8): number | undefined {
    if (!(offset >= 0 && offset + length <= this.size)) return undefined
    const start = offset % pageBytes
    const isWhole = start + length <= pageBytes
    const bytes = isWhole ? this.#page(Math.floor(offset / pageBytes)) : this.read(offset, length)
    const at = isWhole ? start : 0
    const low = bytes.readUInt32LE(at)
    return length === 4 ? low : low + bytes.readUInt32LE(at + 4) * 0x1_0000_0000
  }

  /**
   * Passes to `take` the bytes, from `start` to `end`, of the string at `offset` up to its zero byte, cut at
   * `maxBytes`.
   */
  withString<Result>(
    offset: number,
    maxBytes: number,
    take: (bytes: Buffer, start: number, end: number) => Result,
  ): Result | undefined {
    if (!(offset >= 0 && offset < this.size)) return undefined
    const page = this.#page(Math.floor(offset / pageBytes))
    const start = offset % pageBytes
    const zero = page.indexOf(0, start)
    const last = Math.min(pageBytes, this.size - (offset - start))
    if (zero >= 0 && zero < last) return take(page, start, Math.min(zero, start + maxBytes))
    const bytes = this.read(offset, maxBytes)
    const end = bytes.indexOf(0)
    return take(bytes, 0, end < 0 ? bytes.length : end)
  }

  /** Reads the string at `offset` as text; undefined outside of the part. */
  readText(offset: number, maxBytes: number): string | undefined {
    return this.withString(offset, maxBytes, (bytes, start, end) => bytes.toString('utf8', start, end))
  }

  #page(index: number): Buffer {
    if (index === this.#lastIndex) return this.#last
    const page = this.#young.get(index) ?? this.#promote(index)
    this.#lastIndex = index
    this.#last = page
    return page
  }

  #promote(index: number): Buffer {
    const page = this.#old.get(index) ?? this.#readPage(index)
    this.#old.delete(index)
    if (this.#young.size >= pagesPerGeneration) {
      this.#unused.push(...this.#old.values())
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(index, page)
    return page
  }

  /** Fills a page. Behind the end of the part the page keeps old bytes, which are never given out. */
  #readPage(index: number): Buffer {
    const start = index * pageBytes
    const page = this.#unused.pop() ?? Buffer.allocUnsafeSlow(pageBytes)
    const { source, offset } = this.#part ?? { source: undefined, offset: 0 }
    source?.readInto(page.subarray(0, Math.min(pageBytes, this.size - start)), offset + start)
    return page
  }
}
