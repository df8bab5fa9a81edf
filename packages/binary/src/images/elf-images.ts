/**
 * Reads the build id of a library while it is inflated from an archive, when each byte arrives once, in order.
 *
 * Header, 32-bit (offsets of 64-bit where they differ in brackets):
 *   0 magic 7f 45 4c 46 · 4 class (1: 32 bits, 2: 64) · 5 data (1: little-endian) · 18 machine (2)
 *   28 (32) offset of the segments · 42 (54) size of a segment's record (2) · 44 (56) their number (2)
 * Segment: 0 type (4: notes) · 4 (8) offset (4, 8) · 16 (32) size in the file (4, 8)
 * Note: 0 length of the name (4) · 4 length of the content (4) · 8 type (4) · name · content, both padded to 4 bytes
 */
import { toDebugId } from '../elf/debug-id.ts'
import { StreamWindow } from './stream-window.ts'

export interface ElfImage {
  /** The debug id of the build id, in upper case with dashes. */
  uuid: string
  architecture: string
}

const magic = 0x7f454c46
const noteSegment = 4
const buildIdNote = 3
const maxSegments = 128
const maxNoteBytes = 64 * 1024
const maxBuildId = 64
/** Linkers put the notes at the beginning of a file, so that no more of it needs to be inflated. */
const maxHead = 4 * 1024 * 1024

const architectures = new Map([
  [3, 'x86'],
  [40, 'arm'],
  [62, 'x86_64'],
  [183, 'arm64'],
  [243, 'riscv64'],
])

/** Undefined for a file that is not ELF, and for one without a build id. */
export async function readElfImage(chunks: AsyncIterable<Buffer>): Promise<ElfImage | undefined> {
  const window = new StreamWindow(chunks)
  try {
    const head = await window.read(0, 64)
    if (head.length < 64 || head.readUInt32BE(0) !== magic || head[5] !== 1) return undefined
    const notes = listNotes(head, await readSegments(window, head))
    for (const { offset, size } of notes) {
      const buildId = findBuildId(await window.read(offset, Math.min(size, maxNoteBytes)))
      if (!buildId) continue
      const machine = head.readUInt16LE(18)
      return { uuid: toDebugId(buildId), architecture: architectures.get(machine) ?? String(machine) }
    }
    return undefined
  } finally {
    await window.close()
  }
}

async function readSegments(window: StreamWindow, head: Buffer): Promise<Buffer[]> {
  const is64 = head[4] === 2
  const offset = is64 ? Number(head.readBigUInt64LE(32)) : head.readUInt32LE(28)
  const length = head.readUInt16LE(is64 ? 54 : 42)
  const count = Math.min(head.readUInt16LE(is64 ? 56 : 44), maxSegments)
  if (length < (is64 ? 56 : 32) || offset > maxHead) return []
  const table = await window.read(offset, count * length)
  return Array.from({ length: Math.floor(table.length / length) }, (_, index) =>
    Buffer.from(table.subarray(index * length, (index + 1) * length)),
  )
}

/** The segments of notes near the beginning, in their order in the file. */
function listNotes(head: Buffer, segments: readonly Buffer[]): { offset: number; size: number }[] {
  const is64 = head[4] === 2
  return segments
    .filter((segment) => segment.readUInt32LE(0) === noteSegment)
    .map((segment) => ({
      offset: is64 ? Number(segment.readBigUInt64LE(8)) : segment.readUInt32LE(4),
      size: is64 ? Number(segment.readBigUInt64LE(32)) : segment.readUInt32LE(16),
    }))
    .filter(({ offset }) => offset <= maxHead)
    .sort((a, b) => a.offset - b.offset)
}

function findBuildId(notes: Buffer): Buffer | undefined {
  for (let at = 0; at + 16 <= notes.length;) {
    const content = at + 12 + align(notes.readUInt32LE(at))
    const length = notes.readUInt32LE(at + 4)
    const isBuildId =
      notes.readUInt32LE(at + 8) === buildIdNote && notes.toString('latin1', at + 12, at + 16) === 'GNU\0'
    if (isBuildId && length > 0 && length <= maxBuildId && content + length <= notes.length) {
      return notes.subarray(content, content + length)
    }
    at = content + align(length)
  }
  return undefined
}

function align(length: number): number {
  return Math.ceil(length / 4) * 4
}
