/**
 * The UUIDs of a Mach-O file, from its bytes in order. A fat file starts with cafebabe (cafebabf with 64-bit offsets),
 * big-endian: 4 count · then per slice cpu, subtype, offset, size, align. A slice: 0 magic · 4 cpu · 8 subtype · 16 ncmds
 * 20 sizeofcmds · then, after 28 bytes (32 in 64-bit), load commands: 0 cmd · 4 cmdsize. LC_UUID (0x1b) is 24 bytes: its
 * last 16 are the UUID.
 */
import { toArchitecture } from '../apple/mach-o.ts'

export interface MachOImage {
  /** Upper case with dashes, as `dwarfdump --uuid` prints it. */
  uuid: string
  architecture: string
}

const maxSlices = 32
/** What the commands of the largest real binaries take is far below. */
const maxHead = 1024 * 1024
const lcUuid = 0x1b
const fatHead = 8 + maxSlices * 32

/** Reads no further than the last slice's load commands. Empty for what is no Mach-O. */
export async function readMachOImages(chunks: AsyncIterable<Buffer>): Promise<MachOImage[]> {
  const window = new Window(chunks)
  const images: MachOImage[] = []
  for (const offset of listSlices(await window.read(0, fatHead))) {
    const image = parseSlice(await window.read(offset, maxHead))
    if (image) images.push(image)
  }
  await window.close()
  return images
}

function listSlices(start: Buffer): number[] {
  if (start.length < 8) return []
  const magic = start.readUInt32BE(0)
  if (magic !== 0xcafebabe && magic !== 0xcafebabf) return [0]
  const isWide = magic === 0xcafebabf
  const count = start.readUInt32BE(4)
  // A Java class starts with the same four bytes; what follows is then its version.
  if (count > maxSlices) return []
  const offsets: number[] = []
  for (let index = 0; index < count; index++) {
    const at = 8 + index * (isWide ? 32 : 20)
    if (at + 20 > start.length) break
    offsets.push(isWide ? Number(start.readBigUInt64BE(at + 8)) : start.readUInt32BE(at + 8))
  }
  // The bytes pass once, from the first to the last.
  return offsets.sort((a, b) => a - b)
}

function parseSlice(head: Buffer): MachOImage | undefined {
  if (head.length < 28) return undefined
  const magic = head.readUInt32LE(0)
  if (magic !== 0xfeedface && magic !== 0xfeedfacf) return undefined
  const commands = head.readUInt32LE(16)
  let at = magic === 0xfeedfacf ? 32 : 28
  for (let index = 0; index < commands && at + 8 <= head.length; index++) {
    const size = head.readUInt32LE(at + 4)
    if (size < 8) return undefined
    if (head.readUInt32LE(at) === lcUuid && at + 24 <= head.length) {
      const architecture = toArchitecture(head.readUInt32LE(4), head.readUInt32LE(8))
      return { uuid: formatUuid(head.subarray(at + 8, at + 24)), architecture }
    }
    at += size
  }
  return undefined
}

function formatUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex').toUpperCase()
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Bytes that pass once, in order, read by ranges that only move forward. Holds one range and one chunk. */
class Window {
  readonly #chunks: AsyncIterator<Buffer>
  #held: Buffer = Buffer.alloc(0)
  /** Where the held bytes start. */
  #start = 0

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** Fewer bytes where the file ends before; none of a range that lies before what was read already. */
  async read(offset: number, length: number): Promise<Buffer> {
    if (offset < this.#start) return Buffer.alloc(0)
    while (this.#start + this.#held.length < offset + length) {
      const next = await this.#chunks.next()
      if (next.done) break
      this.#skipTo(offset)
      this.#held = Buffer.concat([this.#held, next.value])
    }
    this.#skipTo(offset)
    return this.#held.subarray(0, length)
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  #skipTo(offset: number): void {
    const skipped = Math.min(Math.max(0, offset - this.#start), this.#held.length)
    this.#held = this.#held.subarray(skipped)
    this.#start += skipped
  }
}
