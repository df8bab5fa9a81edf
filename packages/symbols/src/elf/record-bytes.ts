/**
 * The bytes of one record of an ELF file, with its numbers in little-endian order. A number outside of the record is 0,
 * so that a record that is cut off is read as far as it goes.
 */
export class RecordBytes {
  readonly bytes: Buffer
  is64: boolean

  constructor(bytes: Buffer, is64 = false) {
    this.bytes = bytes
    this.is64 = is64
  }

  get length(): number {
    return this.bytes.length
  }

  u8(at: number): number {
    return this.bytes[at] ?? 0
  }

  u16(at: number): number {
    return at + 2 <= this.bytes.length ? this.bytes.readUInt16LE(at) : 0
  }

  u32(at: number): number {
    return at + 4 <= this.bytes.length ? this.bytes.readUInt32LE(at) : 0
  }

  u32BigEndian(at: number): number {
    return at + 4 <= this.bytes.length ? this.bytes.readUInt32BE(at) : 0
  }

  /** A number as wide as the file's addresses, which has another offset in 32-bit files and in 64-bit files. */
  word(offset32: number, offset64: number): number {
    return this.is64 ? this.u32(offset64) + this.u32(offset64 + 4) * 2 ** 32 : this.u32(offset32)
  }
}
