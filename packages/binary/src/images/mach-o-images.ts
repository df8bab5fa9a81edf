/** Reads the UUIDs of a Mach-O file while it is inflated from an archive, when each byte arrives once, in order. */
import { maxFatHeaderBytes, parseFatHeader } from '../mach-o/fat-header.ts'
import { hasMachOMagic, machOHeaderBytes, parseMachOHeader } from '../mach-o/header.ts'
import { listLoadCommands, toUuid } from '../mach-o/load-commands.ts'

export interface MachOImage {
  /** Upper case with dashes, as `dwarfdump --uuid` prints it. */
  uuid: string
  architecture: string
}

/** Limit for the bytes that are read of a slice. The load commands of the largest real binaries take far less. */
const maxHead = 1024 * 1024

/** Reads no further than the last slice's load commands. The list is empty for a file that is not Mach-O. */
export async function readMachOImages(chunks: AsyncIterable<Buffer>): Promise<MachOImage[]> {
  const window = new Window(chunks)
  const images: MachOImage[] = []
  try {
    const start = await window.read(0, maxFatHeaderBytes)
    if (!hasMachOMagic(start)) return []
    for (const offset of listOffsets(start)) {
      const image = await readSlice(window, offset)
      if (image) images.push(image)
    }
    return images
  } finally {
    await window.close()
  }
}

/** Reads no more than the load commands, whose size the header gives. */
async function readSlice(window: Window, offset: number): Promise<MachOImage | undefined> {
  const header = parseMachOHeader(await window.read(offset, machOHeaderBytes))
  if (!header) return undefined
  return parseSlice(await window.read(offset, Math.min(header.commandsOffset + header.commandBytes, maxHead)))
}

/** Lists the offsets of the slices in ascending order, because each byte arrives only once. */
function listOffsets(start: Buffer): number[] {
  const fat = parseFatHeader(start)
  return fat ? fat.slices.map(({ offset }) => offset).toSorted((a, b) => a - b) : [0]
}

function parseSlice(head: Buffer): MachOImage | undefined {
  const header = parseMachOHeader(head)
  if (!header || header.isBigEndian) return undefined
  const architecture = header.architecture ?? `cpu-${header.cpuType}`
  for (const command of listLoadCommands(head.subarray(header.commandsOffset), header.commandCount)) {
    const uuid = toUuid(command)
    if (uuid !== undefined) return { uuid, architecture }
  }
  return undefined
}

/** Reads ranges of a stream, which must be requested in ascending order. It holds one range and one chunk. */
class Window {
  readonly #chunks: AsyncIterator<Buffer>
  #held: Buffer = Buffer.alloc(0)
  /** The offset of the first byte that is held. */
  #start = 0

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** Returns fewer bytes if the file ends first, and none of a range that was passed already. */
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
