import { crc32, deflateRawSync } from 'node:zlib'
import { ByteBuilder } from './byte-builder.ts'

/** Writes a zip archive of deflated entries. */
export function writeZip(entries: Record<string, Uint8Array | string>): Buffer {
  const file = new ByteBuilder()
  const directory = new ByteBuilder()
  for (const [name, content] of Object.entries(entries)) {
    const bytes = Buffer.from(content)
    const stored = deflateRawSync(bytes)
    const nameBytes = Buffer.from(name)
    const common = new ByteBuilder().u16(20).u16(0).u16(8).u32(0).u32(crc32(bytes)).u32(stored.length).u32(bytes.length)
    common.u16(nameBytes.length).u16(0)
    directory.u32(0x02014b50).u16(20).append(common.toBuffer()).u16(0).u16(0).u16(0).u32(0).u32(file.length)
    directory.append(nameBytes)
    file.u32(0x04034b50).append(common.toBuffer()).append(nameBytes).append(stored)
  }
  const count = Object.keys(entries).length
  const start = file.length
  file.append(directory.toBuffer()).u32(0x06054b50).u16(0).u16(0).u16(count).u16(count)
  return file.u32(directory.length).u32(start).u16(0).toBuffer()
}
