// The global `Buffer` of Node is a getter, so the import is faster.
import { Buffer, isUtf8 } from 'node:buffer'
import { XPCError } from '../xpc-error.ts'
import {
  BodyEncoding,
  FrameKind,
  blockedFlag,
  frameHeaderSize,
  maxAttachments,
  maxFrameSize,
  maxNameSize,
  noAttachments,
  textFlag,
  type Attachment,
  type Frame,
} from './frame.ts'
import { ackFlag, maxPacketSize } from './packet.ts'

function broken(detail: string): XPCError {
  return new XPCError('protocol', { detail })
}

/**
 * Parses received bytes into frames, one at a time, because a handler that runs between two frames may itself read on.
 * Lengths are checked before anything is allocated, and at most twice the received size is allocated.
 */
export class Inbox {
  #chunk: Buffer = Buffer.alloc(0)
  #start = 0
  #end = 0
  #fed = 0
  /** Number of bytes of the current data packet that are still to come. */
  #packetLeft = 0
  /** A partly received packet header or acknowledgement. */
  readonly #header = Buffer.alloc(8)
  #headerLength = 0
  /** A partly received frame. */
  #partial: Buffer = Buffer.alloc(0)
  #partialLength = 0
  /** The last name read, since most messages repeat it. */
  #name = ''
  readonly #onAck: (received: number) => void

  constructor(onAck: (received: number) => void) {
    this.#onAck = onAck
  }

  /** Number of bytes received and parsed so far, which is what acknowledgements report. */
  get received(): number {
    return this.#fed - (this.#end - this.#start)
  }

  /** True in the middle of a packet or a frame; data is lost if the stream ends here. */
  get isIncomplete(): boolean {
    return this.#packetLeft > 0 || this.#headerLength > 0 || this.#partialLength > 0
  }

  /**
   * Takes the next bytes. It may be called only after `next` returned undefined, because `next` reads from the last
   * chunk.
   */
  feed(chunk: Buffer, length: number): void {
    this.#chunk = chunk
    this.#start = 0
    this.#end = length
    this.#fed += length
  }

  /**
   * Returns the next whole frame, or undefined if more bytes are needed.
   *
   * @throws XPCError `protocol`.
   */
  next(): Frame | undefined {
    for (;;) {
      if (this.#packetLeft === 0 && !this.#openPacket()) return undefined
      const available = Math.min(this.#packetLeft, this.#end - this.#start)
      if (available === 0) return undefined
      if (this.#partialLength === 0 && available >= 4) {
        const size = 4 + checkFrameLength(readU32(this.#chunk, this.#start))
        if (size <= available) {
          const start = this.#start
          this.#start += size
          this.#packetLeft -= size
          return this.#parse(this.#chunk, start + 4, start + size)
        }
      }
      const frame = this.#collect(available)
      if (frame) return frame
    }
  }

  /** Reads packet headers and acknowledgements up to the next data packet; false if more bytes are needed. */
  #openPacket(): boolean {
    if (this.#headerLength === 0 && this.#end - this.#start > 4) {
      const word = readU32(this.#chunk, this.#start)
      if (word < ackFlag) {
        this.#start += 4
        return this.#beginPacket(word)
      }
    }
    while (this.#start < this.#end) {
      const header = this.#header
      header[this.#headerLength++] = this.#chunk[this.#start++] ?? 0
      if (this.#headerLength < 4) continue
      const word = readU32(header, 0)
      if (word < ackFlag) {
        this.#headerLength = 0
        return this.#beginPacket(word)
      }
      if (this.#headerLength < 8) continue
      this.#headerLength = 0
      this.#onAck((word - ackFlag) * 2 ** 32 + readU32(header, 4))
    }
    return false
  }

  #beginPacket(size: number): true {
    if (size === 0 || size > maxPacketSize) throw broken(`a packet of ${size} bytes`)
    this.#packetLeft = size
    return true
  }

  /** Appends to the partial frame and returns it once complete. */
  #collect(available: number): Frame | undefined {
    let wanted = 4 - this.#partialLength
    if (wanted <= 0) wanted = 4 + readU32(this.#partial, 0) - this.#partialLength
    const taken = Math.min(wanted, available)
    this.#reserve(this.#partialLength + taken)
    this.#chunk.copy(this.#partial, this.#partialLength, this.#start, this.#start + taken)
    this.#start += taken
    this.#packetLeft -= taken
    this.#partialLength += taken
    if (this.#partialLength < 4) return undefined
    const size = 4 + checkFrameLength(readU32(this.#partial, 0))
    if (this.#partialLength < size) return undefined
    this.#partialLength = 0
    const frame = this.#parse(this.#partial, 4, size)
    if (size > maxPacketSize * 16) this.#partial = Buffer.alloc(0)
    return frame
  }

  #parse(bytes: Buffer, start: number, end: number): Frame {
    const frame = parseFrame(bytes, start, end, this.#name)
    if (frame.name !== '') this.#name = frame.name
    return frame
  }

  #reserve(size: number): void {
    if (this.#partial.length >= size) return
    const larger = Buffer.allocUnsafeSlow(Math.max(size * 2, 4096))
    this.#partial.copy(larger, 0, 0, this.#partialLength)
    this.#partial = larger
  }
}

function readU32(bytes: Buffer, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
}

function checkFrameLength(length: number): number {
  if (length < frameHeaderSize) throw broken(`a frame of ${length} bytes`)
  if (length > maxFrameSize) throw broken(`a frame of ${length} bytes; the limit is ${maxFrameSize}`)
  return length
}

/** Parses the frame whose header starts at `start`; every offset was checked against `end`. */
function parseFrame(bytes: Buffer, start: number, end: number, lastName: string): Frame {
  const kind = bytes[start]!
  if (kind < FrameKind.hello || kind > FrameKind.bye) throw broken(`a frame of unknown kind ${kind}`)
  const flags = bytes[start + 1]!
  const nameSize = bytes[start + 2]! | (bytes[start + 3]! << 8)
  const nameStart = start + frameHeaderSize
  const bodyStart = nameStart + nameSize
  if (nameSize > maxNameSize) throw broken(`a name of ${nameSize} bytes`)
  if (bodyStart > end) throw broken('a name that runs past its frame')
  const frame: Frame = {
    kind,
    blocked: (flags & blockedFlag) !== 0,
    id: readU32(bytes, start + 4),
    parent: readU32(bytes, start + 8),
    name: nameSize === 0 ? '' : readName(bytes, nameStart, bodyStart, lastName),
    text: '',
    attachments: noAttachments,
  }
  readBody(frame, flags & ~blockedFlag, bytes, bodyStart, end)
  return frame
}

function readBody(frame: Frame, encoding: number, bytes: Buffer, start: number, end: number): void {
  if (encoding === BodyEncoding.asciiJson) {
    frame.text = bytes.toString('latin1', start, end)
    // Only ASCII text has as many bytes in UTF-8 as characters; this check needs no view of the bytes.
    if (start === end || Buffer.byteLength(frame.text) !== end - start) {
      throw broken('a body declared as ASCII is not ASCII')
    }
  } else if (encoding === BodyEncoding.json) {
    if (start === end) throw broken('an empty JSON body')
    frame.text = readText(bytes, start, end)
  } else if (encoding === BodyEncoding.attachments || encoding === BodyEncoding.texts) {
    readAttachments(frame, encoding === BodyEncoding.texts, bytes, start, end)
  } else if (encoding !== BodyEncoding.none) {
    throw broken(`unknown body encoding ${encoding}`)
  } else if (start !== end) {
    throw broken('a body whose encoding says that there is none')
  }
}

function readAttachments(frame: Frame, mayBeTexts: boolean, bytes: Buffer, start: number, end: number): void {
  if (end - start < 4) throw broken('attachments without a count')
  const count = readU32(bytes, start)
  let at = start + 4 + 4 * count
  if (count > maxAttachments || at > end) throw broken(`${count} attachments in ${end - start} bytes`)
  const attachments: Attachment[] = []
  for (let index = 0; index < count; index++) {
    const length = readU32(bytes, start + 4 + 4 * index)
    const isText = mayBeTexts && length >= textFlag
    const size = isText ? length - textFlag : length
    if (size > end - at) throw broken('an attachment that runs past its frame')
    // The copy is aligned for every element type and independent of the read buffer.
    attachments.push(isText ? readText(bytes, at, at + size) : new Uint8Array(bytes.subarray(at, at + size)))
    at += size
  }
  if (at === end) throw broken('attachments without JSON')
  frame.attachments = attachments
  frame.text = readText(bytes, at, end)
}

function readName(bytes: Buffer, start: number, end: number, lastName: string): string {
  if (lastName.length !== end - start) return readText(bytes, start, end)
  // A name with non-ASCII characters has more bytes than characters, so it never matches here.
  for (let at = start; at < end; at++) {
    if (bytes[at] !== lastName.charCodeAt(at - start)) return readText(bytes, start, end)
  }
  return lastName
}

function readText(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end)
  // Invalid UTF-8 decodes to U+FFFD, which valid text may also contain.
  if (text.includes('\ufffd') && !isUtf8(bytes.subarray(start, end))) throw broken('text that is not UTF-8')
  return text
}
