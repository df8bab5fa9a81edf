/** Puts together the lines of a log that comes in chunks. */

/** A line longer than that is cut; it is none of a trace. */
const maxLine = 1024 * 1024

const newline = 0x0a

export class LineBuffer {
  #rest: Uint8Array[] = []
  #restLength = 0
  /** The first half of a character whose second half is in the next chunk. */
  #highSurrogate = ''

  /** The lines that are whole with that chunk, each with its end. */
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

  /** What is left of a last line without an end. */
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
    // Of its own memory: who gives the chunk may use it again.
    this.#rest.push(Buffer.from(bytes))
    this.#restLength += bytes.length
  }

  #join(bytes: Uint8Array): Buffer {
    if (this.#rest.length > 0) return Buffer.concat([...this.#rest, bytes])
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  }
}

/** The end of the last whole character. */
function findCut(bytes: Uint8Array): number {
  let at = bytes.length - 1
  while (at > 0 && at > bytes.length - 4 && ((bytes[at] as number) & 0xc0) === 0x80) at--
  return (bytes[at] as number) < 0x80 ? bytes.length : at
}
