/**
 * Reader of the frame of an ELF file: the header, the segments and the sections. Tables that lie outside of the file
 * are left out, so that a file that is damaged in part is still read for the rest.
 *
 * Header, 32-bit (offsets of 64-bit where they differ in brackets):
 *   0 magic 7f 45 4c 46 · 4 class (1: 32 bits, 2: 64) · 5 data (1: little-endian) · 16 type (2) · 18 machine (2)
 *   28 (32) segments' offset · 32 (40) sections' offset · 42 (54) size of a segment's record (2) · 44 (56) count (2)
 *   46 (58) size of a section's record (2) · 48 (60) count (2) · 50 (62) section of the sections' names (2)
 * Segment:  32-bit: 0 type · 4 offset · 8 address · 16 size in the file · 20 size in memory · 24 flags
 *           64-bit: 0 type · 4 flags · 8 offset · 16 address · 32 size in the file · 40 size in memory
 * Section:  32-bit: 0 name · 4 type · 8 flags · 12 address · 16 offset · 20 size · 24 link · 36 size of an entry
 *           64-bit: 0 name · 4 type · 8 flags · 16 address · 24 offset · 32 size · 40 link · 56 size of an entry
 * If the file has 0xff00 or more sections, the count is the size of section 0, and the section of names its link.
 */
import { requireAt } from '@fairlead/invariant'
import type { FilePart } from '../bytes/file-part.ts'
import type { FileBytes } from '../bytes/file-bytes.ts'
import { SymbolsError } from '../symbols-error.ts'
import { RecordBytes } from './record-bytes.ts'

export const SectionType = { symbols: 2, strings: 3, note: 7, noBits: 8, dynamicSymbols: 11 } as const
export const SectionFlag = { allocated: 0x2, executable: 0x4, compressed: 0x800 } as const
export const SegmentType = { load: 1, note: 4 } as const
const executableSegment = 1

const maxSections = 100_000
const maxSegments = 4096
const longestName = 256
/** Section headers beyond this offset are damage; those that are nearer show that the file was cut. */
const longestFile = 2 ** 40

export interface ElfSection {
  name: string
  type: number
  flags: number
  address: number
  size: number
  link: number
  /** Its bytes; undefined if the file does not hold them. */
  part: FilePart | undefined
}

export interface ElfSegment {
  type: number
  isExecutable: boolean
  address: number
  memorySize: number
  part: FilePart | undefined
}

export interface ElfFile {
  is64: boolean
  machine: number
  sections: ElfSection[]
  segments: ElfSegment[]
}

const magic = 0x7f454c46

export function hasElfMagic(head: Buffer): boolean {
  return head.length >= 4 && head.readUInt32BE(0) === magic
}

/** Reads header and tables. Throws `malformed-elf` if nothing of the file can be found. */
export function readElfFile(source: FileBytes): ElfFile {
  const head = new RecordBytes(source.read(0, Math.min(64, source.size)))
  if (head.length < 52 || head.u32BigEndian(0) !== magic) throw malformed('It is shorter than its header.')
  const elfClass = head.u8(4)
  if (elfClass !== 1 && elfClass !== 2) throw malformed(`Its class ${elfClass} is not known.`)
  const is64 = elfClass === 2
  if (is64 && head.length < 64) throw malformed('It is shorter than its header.')
  head.is64 = is64
  const machine = head.u16(18)
  const segments = readSegments(source, head)
  const sections = readSections(source, head)
  if (segments.length === 0 && sections.length === 0) throw malformed('Its tables lie outside of the file.')
  const sectionsAt = head.word(32, 40)
  if (sectionsAt >= source.size && sectionsAt < longestFile) throw malformed('It ends before its sections.')
  return { is64, machine, segments, sections }
}

function readSegments(source: FileBytes, head: RecordBytes): ElfSegment[] {
  const { is64 } = head
  const length = is64 ? 56 : 32
  const records = readTable(source, head.word(28, 32), head.u16(is64 ? 54 : 42), length, head.u16(is64 ? 56 : 44), {
    max: maxSegments,
    is64,
  })
  return records.map((record) => ({
    type: record.u32(0),
    isExecutable: (record.u32(is64 ? 4 : 24) & executableSegment) !== 0,
    address: record.word(8, 16),
    memorySize: record.word(20, 40),
    part: toPart(source, record.word(4, 8), record.word(16, 32)),
  }))
}

function readSections(source: FileBytes, head: RecordBytes): ElfSection[] {
  const { is64 } = head
  const length = is64 ? 64 : 40
  const offset = head.word(32, 40)
  const recordLength = head.u16(is64 ? 58 : 46)
  const limits = { max: maxSections, is64 }
  const [first] = readTable(source, offset, recordLength, length, 1, limits)
  if (!first) return []
  const count = head.u16(is64 ? 60 : 48) || first.word(20, 32)
  const records = readTable(source, offset, recordLength, length, count, limits)
  const sections = records.map((record) => toSection(source, record))
  const namesIndex = head.u16(is64 ? 62 : 50)
  const names = sections[namesIndex === 0xffff ? first.u32(is64 ? 40 : 24) : namesIndex]?.part
  if (names) {
    for (const [index, record] of records.entries()) requireAt(sections, index).name = readName(names, record.u32(0))
  }
  return sections
}

function toSection(source: FileBytes, record: RecordBytes): ElfSection {
  const { is64 } = record
  const type = record.u32(4)
  const size = record.word(20, 32)
  return {
    name: '',
    type,
    flags: record.word(8, 8),
    address: record.word(12, 16),
    size,
    link: record.u32(is64 ? 40 : 24),
    part: type === SectionType.noBits || type === 0 ? undefined : toPart(source, record.word(16, 24), size),
  }
}

/** Reads the records of a table that lie in the file; none if their size is impossible. */
function readTable(
  source: FileBytes,
  offset: number,
  recordLength: number,
  length: number,
  count: number,
  { max, is64 }: { max: number; is64: boolean },
): RecordBytes[] {
  if (recordLength < length || offset <= 0 || offset >= source.size) return []
  const fits = Math.floor((source.size - offset) / recordLength)
  const read = Math.min(count, fits, max)
  if (read <= 0) return []
  const bytes = source.read(offset, read * recordLength)
  return Array.from({ length: read }, (_, index) => {
    const start = index * recordLength
    return new RecordBytes(bytes.subarray(start, start + length), is64)
  })
}

function toPart(source: FileBytes, offset: number, size: number): FilePart | undefined {
  return size > 0 && offset + size <= source.size ? { source, offset, size } : undefined
}

function readName({ source, offset, size }: FilePart, at: number): string {
  if (at >= size) return ''
  const text = source.read(offset + at, Math.min(longestName, size - at)).toString('latin1')
  const end = text.indexOf('\0')
  return end < 0 ? text : text.slice(0, end)
}

export function malformed(detail: string): SymbolsError {
  return new SymbolsError('malformed-elf', detail)
}
