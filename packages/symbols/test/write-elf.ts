/** Writes small 64-bit ELF files of x86_64, whose sections may be what no linker would write. */

export interface WrittenSection {
  name: string
  type: number
  flags?: number
  address?: number
  bytes: Uint8Array
}

const headerLength = 64
const sectionLength = 64
export const ElfType = { progBits: 1, note: 7 } as const

/** A note with a build id. */
export function writeBuildId(id: Uint8Array): WrittenSection {
  const bytes = Buffer.alloc(16 + id.length)
  bytes.writeUInt32LE(4, 0)
  bytes.writeUInt32LE(id.length, 4)
  bytes.writeUInt32LE(3, 8)
  bytes.write('GNU\0', 12, 'latin1')
  bytes.set(id, 16)
  return { name: '.note.gnu.build-id', type: ElfType.note, flags: 2, bytes }
}

/** A section with the flag of compressed ones, whose header claims `size` bytes of a type: 1 zlib, 2 Zstandard. */
export function writeCompressed(name: string, type: number, size: bigint, packed: Uint8Array): WrittenSection {
  const bytes = Buffer.alloc(24 + packed.length)
  bytes.writeUInt32LE(type, 0)
  bytes.writeBigUInt64LE(size, 8)
  bytes.writeBigUInt64LE(1n, 16)
  bytes.set(packed, 24)
  return { name, type: ElfType.progBits, flags: 0x800, bytes }
}

/** Writes a shared library with these sections, after an empty one and before their names. */
export function writeElf(sections: readonly WrittenSection[]): Buffer {
  const names = Buffer.from(`\0${[...sections.map(({ name }) => name), '.shstrtab'].join('\0')}\0`)
  const all: WrittenSection[] = [...sections, { name: '.shstrtab', type: 3, bytes: names }]
  const table = Buffer.alloc((all.length + 1) * sectionLength)
  const parts: Uint8Array[] = []
  let at = headerLength
  for (const [index, { name, type, flags = 0, address = 0, bytes }] of all.entries()) {
    const record = (index + 1) * sectionLength
    table.writeUInt32LE(names.indexOf(`\0${name}\0`) + 1, record)
    table.writeUInt32LE(type, record + 4)
    table.writeBigUInt64LE(BigInt(flags), record + 8)
    table.writeBigUInt64LE(BigInt(address), record + 16)
    table.writeBigUInt64LE(BigInt(at), record + 24)
    table.writeBigUInt64LE(BigInt(bytes.length), record + 32)
    parts.push(bytes)
    at += bytes.length
  }
  const header = Buffer.alloc(headerLength)
  header.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1])
  header.writeUInt16LE(3, 16)
  header.writeUInt16LE(62, 18)
  header.writeUInt32LE(1, 20)
  header.writeBigUInt64LE(BigInt(at), 40)
  header.writeUInt16LE(headerLength, 52)
  header.writeUInt16LE(sectionLength, 58)
  header.writeUInt16LE(all.length + 1, 60)
  header.writeUInt16LE(all.length, 62)
  return Buffer.concat([header, ...parts, table])
}
