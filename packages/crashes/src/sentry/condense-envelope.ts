/**
 * Reduces an envelope as it streams by to the items that are read, so that a crash is not lost because the files that
 * its SDK attached to it are large. What it returns is an envelope as well.
 */
import { Writable } from 'node:stream'
import { CrashesError } from '../crashes-error.ts'
import { maxCondensedBytes, maxEventBytes, maxItems } from '../limits.ts'
import { longestHeader, parseItemHeader, skipBlank } from './envelope.ts'

/** The types of items that are read. Of others, only the type is kept. */
const readTypes: ReadonlySet<string> = new Set(['event', 'session', 'sessions', 'client_report'])

const lineFeed = Buffer.from('\n')
/** Stands for a header that cannot be read, so that the reader of what is kept says so. */
const unreadableHeader = Buffer.from('unreadable\n')

interface OpenItem {
  type: string
  /** Bytes of the payload that have not come yet; Infinity for one that ends with its line. */
  left: number
  kept: Buffer[]
  /** How many bytes are kept: one more than an event may have, so that a larger one is seen to be too large. */
  keptBytes: number
}

/** Takes the bytes of an envelope. Its errors are CrashesErrors: `too-large`. */
export class EnvelopeCondenser extends Writable {
  readonly #maxKeptBytes: number
  readonly #output: Buffer[] = []
  #outputBytes = 0
  #inputBytes = 0
  #itemCount = 0
  /** The header of the envelope or of an item, of which the end has not come yet. */
  #line: Buffer[] = []
  #lineBytes = 0
  #hasHeader = false
  #item: OpenItem | undefined
  /** Whether a header was unreadable, so that nothing tells where the next item begins. */
  #isDamaged = false

  /** @param maxKeptBytes limit of what it returns */
  constructor(maxKeptBytes: number) {
    super()
    this.#maxKeptBytes = maxKeptBytes
  }

  /** The envelope, once all bytes have been written. */
  take(): Buffer {
    return Buffer.concat(this.#output)
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    try {
      this.#inputBytes += chunk.length
      if (this.#inputBytes > maxCondensedBytes) throw new CrashesError('too-large', 'It has too many bytes.')
      for (let at = 0; at < chunk.length && !this.#isDamaged;) {
        at = this.#item ? this.#readPayload(this.#item, chunk, at) : this.#readHeader(chunk, at)
      }
      done()
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)))
    }
  }

  override _final(done: (error?: Error | null) => void): void {
    try {
      if (this.#item) this.#endItem(this.#item, this.#item.left === Infinity ? 0 : this.#item.left)
      else if (this.#lineBytes > 0) this.#endHeader()
      // An item without a payload may be the last line of the envelope.
      if (this.#item) this.#endItem(this.#item, this.#item.left === Infinity ? 0 : this.#item.left)
      done()
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #readHeader(chunk: Buffer, from: number): number {
    const start = this.#hasHeader && this.#lineBytes === 0 ? skipBlank(chunk, from) : from
    if (start === chunk.length) return start
    const lineEnd = chunk.indexOf(lineFeed, start)
    const end = lineEnd < 0 ? chunk.length : lineEnd
    this.#lineBytes += end - start
    if (this.#lineBytes > longestHeader) {
      if (!this.#hasHeader) throw new CrashesError('too-large', 'A header of the envelope is too long.')
      this.#stop()
      return chunk.length
    }
    this.#line.push(Buffer.from(chunk.subarray(start, end)))
    if (lineEnd >= 0) this.#endHeader()
    return end + 1
  }

  #endHeader(): void {
    const line = Buffer.concat(this.#line)
    this.#line = []
    this.#lineBytes = 0
    if (!this.#hasHeader) {
      this.#hasHeader = true
      this.#keep(line, lineFeed)
      return
    }
    if (this.#itemCount++ === maxItems) throw new CrashesError('too-large', `It has more than ${maxItems} items.`)
    try {
      const { type, length } = parseItemHeader(line)
      this.#item = { type, left: length ?? Infinity, kept: [], keptBytes: 0 }
      if (length === 0) this.#endItem(this.#item, 0)
    } catch (error) {
      if (!(error instanceof CrashesError)) throw error
      this.#stop()
    }
  }

  #stop(): void {
    this.#isDamaged = true
    this.#line = []
    this.#lineBytes = 0
    this.#keep(unreadableHeader)
  }

  #readPayload(item: OpenItem, chunk: Buffer, start: number): number {
    const lineEnd = item.left === Infinity ? chunk.indexOf(lineFeed, start) : -1
    const end = lineEnd < 0 ? Math.min(chunk.length, start + item.left) : lineEnd
    const room = readTypes.has(item.type) ? maxEventBytes + 1 - item.keptBytes : 0
    // A copy, because a part of a chunk would keep the memory of all of it.
    const part = Buffer.from(chunk.subarray(start, Math.min(end, start + room)))
    if (part.length > 0) item.kept.push(part)
    item.keptBytes += part.length
    item.left -= end - start
    if (item.left === 0 || lineEnd >= 0) this.#endItem(item, 0)
    return end
  }

  /** @param missing how many bytes of the payload did not come */
  #endItem({ type, kept, keptBytes }: OpenItem, missing: number): void {
    this.#item = undefined
    this.#keep(Buffer.from(`${JSON.stringify({ type, length: keptBytes + missing })}\n`), ...kept)
    if (missing === 0) this.#keep(lineFeed)
  }

  #keep(...parts: readonly Buffer[]): void {
    this.#output.push(...parts)
    this.#outputBytes += parts.reduce((sum, part) => sum + part.length, 0)
    if (this.#outputBytes > this.#maxKeptBytes) throw new CrashesError('too-large', 'Its events have too many bytes.')
  }
}
