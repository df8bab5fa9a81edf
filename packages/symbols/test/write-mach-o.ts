import { ByteBuilder } from './byte-builder.ts'

export interface MachOParts {
  /** The UUID as 32 hexadecimal digits. */
  uuid: string
  cpuType?: number
  textAddress: number
  textSize: number
  /**
   * The size of the section __const, which has no symbols and starts `constGap` bytes after the code. There is none by
   * default.
   */
  constSize?: number
  constGap?: number
  /** Debug sections by name, such as `__debug_info`. */
  debugSections: Record<string, Buffer>
  /** Symbols in __text, the only section with code. */
  symbols: { name: string; address: number }[]
}

/**
 * Writes a 64-bit Mach-O file as dsymutil does: no code, a symbol table, the debug information in the segment __DWARF.
 */
export function writeMachO(parts: MachOParts): Buffer {
  const debug = Object.entries(parts.debugSections)
  const textSections = parts.constSize === undefined ? 1 : 2
  const textCommand = 72 + 80 * textSections
  const debugCommand = 72 + 80 * debug.length
  const commandBytes = 24 + 24 + textCommand + debugCommand
  const symbolsAt = 32 + commandBytes
  const strings = new ByteBuilder().u8(0)
  const symbols = new ByteBuilder()
  for (const { name, address } of parts.symbols) {
    symbols.u32(strings.length).u8(0x0f, 1).u16(0).u64(address)
    strings.string(name)
  }
  const stringsAt = symbolsAt + symbols.length
  let sectionAt = stringsAt + strings.length

  const file = new ByteBuilder()
  file
    .u32(0xfeedfacf)
    .u32(parts.cpuType ?? 0x0100000c)
    .u32(0)
    .u32(10)
    .u32(4)
    .u32(commandBytes)
    .u32(0)
    .u32(0)
  file.u32(0x1b).u32(24).append(Buffer.from(parts.uuid, 'hex'))
  file.u32(0x2).u32(24).u32(symbolsAt).u32(parts.symbols.length).u32(stringsAt).u32(strings.length)
  writeSegment(file, '__TEXT', textCommand, parts.textAddress, parts.textSize, textSections)
  writeSection(file, '__text', '__TEXT', parts.textAddress, parts.textSize, 0)
  if (parts.constSize !== undefined) {
    const address = parts.textAddress + parts.textSize + (parts.constGap ?? 0)
    writeSection(file, '__const', '__TEXT', address, parts.constSize, 0)
  }
  writeSegment(file, '__DWARF', debugCommand, 0, 0, debug.length)
  for (const [name, bytes] of debug) {
    writeSection(file, name, '__DWARF', 0, bytes.length, sectionAt)
    sectionAt += bytes.length
  }
  file.append(symbols.toBuffer()).append(strings.toBuffer())
  for (const [, bytes] of debug) file.append(bytes)
  return file.toBuffer()
}

function writeSegment(
  file: ByteBuilder,
  name: string,
  length: number,
  address: number,
  size: number,
  sections: number,
): void {
  file.u32(0x19).u32(length).fixed(name, 16).u64(address).u64(size).u64(0).u64(0).u32(7).u32(5).u32(sections).u32(0)
}

function writeSection(
  file: ByteBuilder,
  name: string,
  segment: string,
  address: number,
  size: number,
  offset: number,
): void {
  file.fixed(name, 16).fixed(segment, 16).u64(address).u64(size).u32(offset)
  for (let field = 0; field < 7; field++) file.u32(0)
}

/** Joins slices into one fat file. */
export function writeFat(slices: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(8 + 20 * slices.length)
  header.writeUInt32BE(0xcafebabe, 0)
  header.writeUInt32BE(slices.length, 4)
  let offset = header.length
  for (const [index, slice] of slices.entries()) {
    const at = 8 + index * 20
    header.writeUInt32BE(slice.readUInt32LE(4), at)
    header.writeUInt32BE(slice.readUInt32LE(8), at + 4)
    header.writeUInt32BE(offset, at + 8)
    header.writeUInt32BE(slice.length, at + 12)
    offset += slice.length
  }
  return Buffer.concat([header, ...slices])
}
