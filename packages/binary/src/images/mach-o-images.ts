/** Reads the UUIDs of a Mach-O file while it is inflated from an archive, when each byte arrives once, in order. */
import { maxFatHeaderBytes, parseFatHeader } from '../mach-o/fat-header.ts'
import { hasMachOMagic, machOHeaderBytes, parseMachOHeader } from '../mach-o/header.ts'
import { listLoadCommands, toUuid } from '../mach-o/load-commands.ts'
import { StreamWindow } from './stream-window.ts'

export interface MachOImage {
  /** Upper case with dashes, as `dwarfdump --uuid` prints it. */
  uuid: string
  architecture: string
}

/** Limit for the bytes that are read of a slice. The load commands of the largest real binaries take far less. */
const maxHead = 1024 * 1024

/** Reads no further than the last slice's load commands. The list is empty for a file that is not Mach-O. */
export async function readMachOImages(chunks: AsyncIterable<Buffer>): Promise<MachOImage[]> {
  const window = new StreamWindow(chunks)
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
async function readSlice(window: StreamWindow, offset: number): Promise<MachOImage | undefined> {
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
