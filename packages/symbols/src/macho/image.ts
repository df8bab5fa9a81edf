/**
 * Reader of one Mach-O slice: the header and the load commands, and from those the UUID, the segments' sections and the
 * place of the symbol table. packages/binary parses the header and splits the commands. All numbers are little-endian.
 *
 * LC_SYMTAB 2:      8 symbols' offset · 12 count · 16 strings' offset · 20 size
 * LC_SEGMENT 1:     8 name (16) · 24 address · 28 size … 48 number of sections · 56 sections of 68 bytes:
 *                   0 name (16) · 16 segment (16) · 32 address · 36 size · 40 offset · 56 flags
 * LC_SEGMENT_64 19: 8 name (16) · 24 address (64) · 32 size (64) … 64 number of sections · 72 sections of 80 bytes:
 *                   0 name (16) · 16 segment (16) · 32 address (64) · 40 size (64) · 48 offset · 64 flags
 */
import {
  type ByteSource,
  listLoadCommands,
  type LoadCommand,
  machOHeaderBytes,
  parseFatHeader,
  parseMachOHeader,
  toMachOUuid,
} from '@fairlead/binary'
import { SymbolsError } from '../symbols-error.ts'
import type { Slice } from './slices.ts'

const maxCommandBytes = 4 * 1024 * 1024

/** A part of the file, in bytes; `offset` counts from the start of the file and not of the slice. */
export interface FileRange {
  offset: number
  size: number
}

export interface Section {
  name: string
  segment: string
  address: number
  size: number
  /** The place of its bytes; undefined if the file does not hold them. */
  range: FileRange | undefined
}

export interface SymbolTablePlace {
  symbols: FileRange
  strings: FileRange
  recordLength: 12 | 16
}

export interface MachOImage {
  architecture: string
  /** Upper case with dashes, as Apple's tools print it. */
  uuid: string
  is64: boolean
  /** The address of the segment __TEXT, from which image offsets count. */
  textAddress: number
  sections: Section[]
  symbolTable: SymbolTablePlace | undefined
}

/** Reads a slice's header and commands with two reads. Throws `malformed-mach-o` and `no-uuid`. */
export function readImage(source: ByteSource, slice: Slice): MachOImage {
  if (slice.size < machOHeaderBytes) throw malformed('It is shorter than its header.')
  const head = source.read(slice.offset, machOHeaderBytes)
  const header = parseMachOHeader(head)
  if (!header && parseFatHeader(head)) throw malformed('A slice of the fat file is itself a fat file.')
  if (!header) throw malformed('It does not start with the magic of Mach-O.')
  if (header.isBigEndian) throw malformed('It is big-endian, as no Apple device of today is.')
  const { architecture, is64, commandCount, commandBytes, commandsOffset } = header
  if (architecture === undefined) throw malformed(`Its CPU type ${header.cpuType} is not known.`)
  if (commandBytes > maxCommandBytes || commandsOffset + commandBytes > slice.size) {
    throw malformed('Its load commands lie outside of the file.')
  }
  const image: MachOImage = { architecture, uuid: '', is64, textAddress: 0, sections: [], symbolTable: undefined }
  const commands = source.read(slice.offset + commandsOffset, commandBytes)
  let index = 0
  for (const command of listLoadCommands(commands, commandCount)) {
    readCommand(command, slice, image)
    index++
  }
  if (index < commandCount) throw malformed(`Load command ${index} of ${commandCount} is cut off.`)
  if (image.uuid === '') throw new SymbolsError('no-uuid', `The slice ${architecture} has no LC_UUID.`)
  if (/^[0-]+$/.test(image.uuid)) throw new SymbolsError('no-uuid', `The UUID of the slice ${architecture} is zero.`)
  return image
}

function readCommand(command: LoadCommand, slice: Slice, image: MachOImage): void {
  const { kind, bytes } = command
  image.uuid = toMachOUuid(command) ?? image.uuid
  switch (kind) {
    case 0x2:
      if (bytes.length >= 24) image.symbolTable = toSymbolTable(bytes, slice, image.is64)
      break
    case 0x1:
      if (bytes.length >= 56) readSegment(bytes, slice, image, { header: 56, count: 48, record: 68 })
      break
    case 0x19:
      if (bytes.length >= 72) readSegment(bytes, slice, image, { header: 72, count: 64, record: 80 })
      break
  }
}

interface SegmentLayout {
  header: number
  count: number
  record: number
}

function readSegment(command: Buffer, slice: Slice, image: MachOImage, layout: SegmentLayout): void {
  const wide = layout.record === 80
  const address = wide ? Number(command.readBigUInt64LE(24)) : command.readUInt32LE(24)
  if (readName(command, 8) === '__TEXT') image.textAddress = address
  const fits = Math.floor((command.length - layout.header) / layout.record)
  const count = Math.min(command.readUInt32LE(layout.count), fits)
  for (let index = 0; index < count; index++) {
    const at = layout.header + index * layout.record
    const size = wide ? Number(command.readBigUInt64LE(at + 40)) : command.readUInt32LE(at + 36)
    const offset = command.readUInt32LE(at + (wide ? 48 : 40))
    image.sections.push({
      name: readName(command, at),
      segment: readName(command, at + 16),
      address: wide ? Number(command.readBigUInt64LE(at + 32)) : command.readUInt32LE(at + 32),
      size,
      range: toRange(slice, offset, size),
    })
  }
}

function toSymbolTable(command: Buffer, slice: Slice, is64: boolean): SymbolTablePlace | undefined {
  const recordLength = is64 ? 16 : 12
  const offset = command.readUInt32LE(8)
  const room = Math.floor(Math.max(0, slice.size - offset) / recordLength)
  const symbols = toRange(slice, offset, Math.min(command.readUInt32LE(12), room) * recordLength)
  const stringsOffset = command.readUInt32LE(16)
  const stringsSize = Math.min(command.readUInt32LE(20), Math.max(0, slice.size - stringsOffset))
  const strings = toRange(slice, stringsOffset, stringsSize)
  return symbols && strings ? { symbols, strings, recordLength } : undefined
}

function toRange(slice: Slice, offset: number, size: number): FileRange | undefined {
  return size > 0 && offset > 0 && offset + size <= slice.size ? { offset: slice.offset + offset, size } : undefined
}

function readName(bytes: Buffer, at: number): string {
  const name = bytes.toString('latin1', at, at + 16)
  const end = name.indexOf('\0')
  return end < 0 ? name : name.slice(0, end)
}

function malformed(detail: string): SymbolsError {
  return new SymbolsError('malformed-mach-o', detail)
}
