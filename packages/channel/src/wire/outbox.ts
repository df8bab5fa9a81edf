import { Buffer } from 'node:buffer'
import { XPCError } from '../xpc-error.ts'
import {
  BodyEncoding,
  blockedFlag,
  frameHeaderSize,
  maxFrameSize,
  maxNameSize,
  textFlag,
  type Attachment,
  type Frame,
} from './frame.ts'
import {
  ackFlag,
  ackRideThreshold,
  ackSize,
  ackThreshold,
  maxPacketSize,
  maxQueued,
  packetHeaderSize,
  windowSize,
} from './packet.ts'

/** Room before the first frame for an acknowledgement and a packet header. */
const headroom = ackSize + packetHeaderSize
const initialCapacity = 64 * 1024
/** Waits for more credit rather than write a smaller piece of a longer queue, which would waste a packet. */
const smallestPiece = 4096

/** A longer text is measured before room is reserved, because three bytes per UTF-16 code unit would waste too much. */
const unmeasuredLength = 16 * 1024

/** Writes bytes [start, end) and returns the number written; 0 if there is no room now. */
export type Write = (bytes: Buffer, start: number, end: number) => number

/**
 * Queued frames in one growing buffer, and the credit to write them. A packet's header overwrites the bytes before it,
 * which are already sent or belong to the headroom.
 */
export class Outbox {
  #bytes = Buffer.allocUnsafeSlow(initialCapacity)
  #start = headroom
  #end = headroom
  /** End of a partly written packet; nothing else may be written before its rest. */
  #packetEnd = 0
  #written = 0
  #acknowledged = 0
  /** Number of received bytes that was last acknowledged to the other side. */
  #told = 0
  readonly #window: number
  readonly #write: Write

  constructor(write: Write, window: number = windowSize) {
    this.#write = write
    this.#window = window
  }

  /** Number of frame bytes not yet written. */
  get queued(): number {
    return this.#end - this.#start
  }

  /** True if the pipe had no room for the whole of a packet. */
  get isHalfWritten(): boolean {
    return this.#packetEnd > 0
  }

  /** Number of bytes written and not yet acknowledged. */
  get underWay(): number {
    return this.#written - this.#acknowledged
  }

  /**
   * Takes an acknowledgement: the other side has parsed this many bytes.
   *
   * @throws XPCError `protocol` for an impossible count.
   */
  acknowledge(received: number): void {
    if (received < this.#acknowledged || received > this.#written) {
      throw new XPCError('protocol', { detail: `${received} bytes acknowledged of ${this.#written}` })
    }
    this.#acknowledged = received
  }

  /**
   * Queues one frame.
   *
   * @throws XPCError `encoding` if it is too long, `overflow` if too much is queued.
   */
  append({ kind, blocked, id, parent, name, text, attachments }: Frame): void {
    const attached = attachments.length > 0 ? measureAttachments(attachments) : 0
    const textSize = measureText(text)
    const room = 4 + frameHeaderSize + name.length * 3 + attached + textSize
    this.#admit(room, name)
    const start = this.#reserve(room)
    const bytes = this.#bytes
    const nameStart = start + 4 + frameHeaderSize
    const nameSize = writeName(bytes, nameStart, name)
    if (nameSize > maxNameSize) {
      throw new XPCError('encoding', {
        messageName: name.slice(0, 40),
        detail: `the name has over ${maxNameSize} bytes`,
      })
    }
    let at = nameStart + nameSize
    let encoding: number = BodyEncoding.none
    if (attached > 0) {
      encoding = attachments.some(isText) ? BodyEncoding.texts : BodyEncoding.attachments
      at = writeAttachments(bytes, at, attachments)
      at += bytes.write(text, at, textSize, 'utf8')
    } else if (text !== '') {
      const size =
        textSize === text.length ? bytes.write(text, at, textSize, 'latin1') : bytes.write(text, at, textSize, 'utf8')
      encoding = size === text.length ? BodyEncoding.asciiJson : BodyEncoding.json
      at += size
    }
    writeU32(bytes, start, at - start - 4)
    bytes[start + 4] = kind
    bytes[start + 5] = blocked ? encoding | blockedFlag : encoding
    bytes[start + 6] = nameSize & 0xff
    bytes[start + 7] = nameSize >>> 8
    writeU32(bytes, start + 8, id)
    writeU32(bytes, start + 12, parent)
    this.#end = at
  }

  /**
   * Writes as much as the credit allows. `received` is what our own reader has parsed; its acknowledgement may be
   * added.
   */
  flush(received: number): void {
    if (this.#packetEnd > 0 && !this.#finishPacket()) return
    while (this.#end > this.#start) {
      const credit = Math.min(this.#window - this.underWay - headroom, maxPacketSize)
      const waiting = this.#end - this.#start
      if (credit < waiting && credit < smallestPiece) return
      const size = Math.min(waiting, credit)
      const rides = received - this.#told >= ackRideThreshold
      const start = this.#start
      writeU32(this.#bytes, start - packetHeaderSize, size)
      if (rides) this.#writeAck(start - headroom, received)
      this.#packetEnd = start + size
      this.#start = start - (rides ? headroom : packetHeaderSize)
      if (!this.#finishPacket()) return
    }
    this.#rewind()
  }

  /** Writes an acknowledgement if it is due and no packet carried it. */
  acknowledgeIfDue(received: number): void {
    if (received - this.#told < ackThreshold) return
    if (this.#packetEnd > 0 && !this.#finishPacket()) return
    // The eight bytes before the queue are free, because they were sent or belong to the headroom.
    const start = this.#start - ackSize
    this.#writeAck(start, received)
    this.#packetEnd = this.#start
    this.#start = start
    if (this.#finishPacket()) this.#rewind()
  }

  #writeAck(at: number, received: number): void {
    writeU32(this.#bytes, at, (ackFlag + Math.floor(received / 2 ** 32)) >>> 0)
    writeU32(this.#bytes, at + 4, received >>> 0)
    this.#told = received
  }

  /** Writes the rest of the packet; false if there was no room for all of it. */
  #finishPacket(): boolean {
    while (this.#start < this.#packetEnd) {
      const count = this.#write(this.#bytes, this.#start, this.#packetEnd)
      if (count === 0) return false
      this.#start += count
      this.#written += count
    }
    this.#packetEnd = 0
    return true
  }

  #rewind(): void {
    if (this.#end > this.#start) return
    this.#start = headroom
    this.#end = headroom
    if (this.#bytes.length > 16 * initialCapacity) this.#bytes = Buffer.allocUnsafeSlow(initialCapacity)
  }

  #admit(size: number, name: string): void {
    if (size > maxFrameSize) {
      throw new XPCError('encoding', { messageName: name, detail: `${size} bytes; the limit is ${maxFrameSize}` })
    }
    const queued = this.#end - this.#start
    if (queued > 0 && queued + size > maxQueued) {
      throw new XPCError('overflow', { messageName: name, detail: `${queued} bytes wait to be read by the other side` })
    }
  }

  /** Reserves room at the end and returns where it starts. */
  #reserve(size: number): number {
    if (this.#end + size <= this.#bytes.length) return this.#end
    const kept = Math.max(this.#start - headroom, 0)
    const needed = this.#end - kept + size
    const old = this.#bytes
    if (needed > old.length || kept < old.length / 2) {
      this.#bytes = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(old.length * 2, needed * 2)))
    }
    old.copy(this.#bytes, 0, kept, this.#end)
    this.#start -= kept
    this.#end -= kept
    if (this.#packetEnd > 0) this.#packetEnd -= kept
    return this.#end
  }
}

function writeU32(bytes: Buffer, at: number, value: number): void {
  bytes[at] = value & 0xff
  bytes[at + 1] = (value >>> 8) & 0xff
  bytes[at + 2] = (value >>> 16) & 0xff
  bytes[at + 3] = value >>> 24
}

const isText = (attachment: Attachment): attachment is string => typeof attachment === 'string'

/** Returns the room to reserve for a text; three bytes hold any UTF-16 code unit. */
function measureText(text: string): number {
  return text.length > unmeasuredLength ? Buffer.byteLength(text) : text.length * 3
}

function measureAttachments(attachments: readonly Attachment[]): number {
  let size = 4 + 4 * attachments.length
  for (const attachment of attachments) size += isText(attachment) ? measureText(attachment) : attachment.length
  return size
}

/** Writes attachments at `start`, where the caller has reserved room, and returns their end. */
function writeAttachments(bytes: Buffer, start: number, attachments: readonly Attachment[]): number {
  writeU32(bytes, start, attachments.length)
  let lengthAt = start + 4
  let at = lengthAt + 4 * attachments.length
  for (const attachment of attachments) {
    if (isText(attachment)) {
      const size = bytes.write(attachment, at, 'utf8')
      writeU32(bytes, lengthAt, size + textFlag)
      at += size
    } else {
      writeU32(bytes, lengthAt, attachment.length)
      bytes.set(attachment, at)
      at += attachment.length
    }
    lengthAt += 4
  }
  return at
}

/** Names are short and mostly ASCII, so a loop here is faster than a call out of JavaScript. */
function writeName(bytes: Buffer, start: number, name: string): number {
  const { length } = name
  for (let index = 0; index < length; index++) {
    const unit = name.charCodeAt(index)
    if (unit > 0x7f) return bytes.write(name, start, length * 3, 'utf8')
    bytes[start + index] = unit
  }
  return length
}
