/**
 * The identity of an ELF file.
 *
 * The build id is a note: 0 length of the name (4) · 4 length of the content (4) · 8 type (4) · name · content, both
 * padded to multiples of 4. It has the name "GNU" and the type 3, in a section of notes, or in a segment of notes if
 * the section headers were removed.
 *
 * The debug id is a UUID: the first 16 bytes of the build id, filled up with zeros, whose first three fields are read
 * as little-endian numbers. A file without a build id has the one that Breakpad gives it: the 16-byte blocks of the
 * first 4096 bytes of .text, combined by exclusive or.
 */
import { requireAt } from '@fairlead/invariant'
import { toDebugId } from '@fairlead/binary'
import type { FilePart } from '../bytes/file-part.ts'
import { type ElfFile, SectionType, SegmentType } from './elf-file.ts'
import { RecordBytes } from './record-bytes.ts'

const maxBuildId = 64
const maxNoteBytes = 64 * 1024
const hashedBytes = 4096

export interface ElfIdentity {
  /** In hexadecimal; null if the file has none. */
  buildId: string | null
  /** Upper case with dashes. */
  debugId: string
}

/** Finds the identity; undefined for a file with neither a build id nor code. */
export function findIdentity(file: ElfFile, problems: string[]): ElfIdentity | undefined {
  const notes = [
    ...file.sections.filter(({ type }) => type === SectionType.note),
    ...file.segments.filter(({ type }) => type === SegmentType.note),
  ]
  for (const { part } of notes) {
    const buildId = part && findBuildId(part)
    if (buildId === undefined) continue
    if (buildId.length <= maxBuildId) return { buildId: buildId.toString('hex'), debugId: toDebugId(buildId) }
    problems.push(`Its build id has more than ${maxBuildId} bytes and was left out.`)
  }
  const hash = hashText(file)
  return hash && { buildId: null, debugId: toDebugId(hash) }
}

function findBuildId({ source, offset, size }: FilePart): Buffer | undefined {
  const bytes = source.read(offset, Math.min(size, maxNoteBytes))
  const notes = new RecordBytes(bytes)
  for (let at = 0; at + 12 <= bytes.length;) {
    const nameLength = notes.u32(at)
    const contentLength = notes.u32(at + 4)
    const content = at + 12 + align(nameLength)
    const end = content + contentLength
    const isBuildId = notes.u32(at + 8) === 3 && bytes.toString('latin1', at + 12, at + 16) === 'GNU\0'
    if (isBuildId && contentLength > 0) {
      if (contentLength > maxBuildId) return Buffer.alloc(maxBuildId + 1)
      return end <= bytes.length && nameLength === 4 ? bytes.subarray(content, end) : undefined
    }
    at = content + align(contentLength)
  }
  return undefined
}

function align(length: number): number {
  return Math.ceil(length / 4) * 4
}

function hashText(file: ElfFile): Buffer | undefined {
  const text = file.sections.find(({ name, part }) => name === '.text' && part !== undefined)?.part
  if (!text) return undefined
  const bytes = text.source.read(text.offset, Math.min(hashedBytes, text.size))
  const hash = Buffer.alloc(16)
  for (const [at, byte] of bytes.entries()) hash[at % 16] = requireAt(hash, at % 16) ^ byte
  return hash
}
