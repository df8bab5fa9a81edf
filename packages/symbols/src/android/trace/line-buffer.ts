/** Joins the chunks of a log so that lines are never split. */
import { outOfRange } from '@fairlead/invariant'

/** The longest line that is kept whole, in bytes. A longer one cannot be part of a trace and is passed on in parts. */
const maxLine = 1024 * 1024

const newline = 0x0a

export class LineBuffer {
  #rest: Uint8Array[] = []
  #restLength = 0
  /** A high surrogate at the end of a chunk, whose low surrogate is in the next chunk. */
  #highSurrogate = ''

  /** Adds a chunk and returns the lines that are complete with it, each with its newline. */
  add(chunk: string | Uint8Array): Buffer {
    const bytes = typeof chunk === 'string' ? this.#encode(chunk) : chunk
    const restLength = bytes.length - bytes.lastIndexOf(newline) - 1
    let end = bytes.length - restLength
    if (end === 0 && this.#restLength + restLength > maxLine) end = findCut(bytes)
    if (end === 0) {
      this.#keep(bytes)
      return Buffer.alloc(0)
    }
    const lines = this.#join(bytes.subarray(0, end))
    this.#rest = []
    this.#restLength = 0
    this.#keep(bytes.subarray(end))
    return lines
  }

  /** Returns the last line if it has no newline. */
  finish(): Buffer {
    return this.#join(Buffer.from(this.#highSurrogate))
  }

  #encode(chunk: string): Buffer {
    const text = this.#highSurrogate + chunk
    const last = text.charCodeAt(text.length - 1)
    const end = last >= 0xd800 && last < 0xdc00 ? text.length - 1 : text.length
    this.#highSurrogate = text.slice(end)
    return Buffer.from(text.slice(0, end))
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    // The bytes are copied because the caller may reuse the chunk.
    this.#rest.push(Buffer.from(bytes))
    this.#restLength += bytes.length
  }

  #join(bytes: Uint8Array): Buffer {
    if (this.#rest.length > 0) return Buffer.concat([...this.#rest, bytes])
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  }
}

/** The offset after the last complete UTF-8 character. `at` stays within the bytes, which are not empty. */
function findCut(bytes: Uint8Array): number {
  let at = bytes.length - 1
  while (at > 0 && at > bytes.length - 4 && ((bytes[at] ?? outOfRange()) & 0xc0) === 0x80) at--
  return (bytes[at] ?? outOfRange()) < 0x80 ? bytes.length : at
}
