/**
 * The index file of a mapping holds its text in compressed blocks, and tables that tell where each class is. It is
 * built once, when the mapping is uploaded, so that a trace only reads the classes it names. All numbers are little
 * endian.
 *
 *     header     64 bytes
 *       0  8     the letters FLMAPPED
 *       8  u32   version of this format, 1; a file with another version must be built again from the mapping
 *      12  u32   0
 *      16  u32   number of blocks
 *      20  u32   number of classes
 *      24  f64   offset of the tables in this file
 *      32  f64   length of the text, in bytes
 *      40  u32   length of the description at the end of the tables, in bytes
 *      44  u32   CRC-32 of the tables
 *      48        zeros
 *     blocks     zstd frames of consecutive text, at most 1 MiB each; they end at a class boundary if possible
 *     tables
 *       u32 × blocks    compressed length of each block
 *       u32 × blocks    offset of each block in the text
 *       u32 × classes   offset of each class line in the text; a class ends where the next one begins
 *       u32 × classes   hashes of the obfuscated names, sorted
 *       u32 × classes   class number for each of these hashes
 *       u32 × classes   hashes of the original names, sorted
 *       u32 × classes   class number for each of these hashes
 *       u8  × classes   map version that applies at the start of each class
 *       description     JSON in UTF-8: the header of the mapping, and warnings
 *
 * The text is that of the mapping without a byte order mark, and with a single newline at the end of each line. Hashes
 * are 32-bit FNV-1a of the name in UTF-8. Names with the same hash are told apart by reading their class lines; a class
 * may also occur twice.
 */

export const formatVersion = 1
export const headerSize = 64
/** A block ends at the first class after this many bytes of text. */
export const blockSize = 128 * 1024
/** A block never holds more bytes of text than this. */
export const maxBlockSize = 1024 * 1024
const magic = 'FLMAPPED'

/** The limit on classes: a hash and a class number together must fit in the 53 bits of a double. */
export const maxClasses = 2 ** 21
/** Offsets in the text are 32-bit numbers. */
export const maxTextLength = 2 ** 32 - 1

/** The information in the comments at the start of a mapping. */
export interface MappingHeader {
  /** `pg_map_id`: identifies the build that the mapping belongs to. */
  readonly mapId?: string
  /** `pg_map_hash`, for example `SHA-256 7bd0…`. */
  readonly mapHash?: string
  readonly compiler?: string
  readonly compilerVersion?: string
  readonly minApi?: string
  /** The first map version that the mapping names. */
  readonly mapVersion?: string
}

export interface MappingDescription {
  readonly header: MappingHeader
  readonly warnings: readonly string[]
}

export interface IndexHeader {
  readonly blockCount: number
  readonly classCount: number
  readonly tableStart: number
  readonly textLength: number
  readonly descriptionLength: number
  readonly tableChecksum: number
}

export function writeIndexHeader(header: IndexHeader): Buffer {
  const bytes = Buffer.alloc(headerSize)
  bytes.write(magic, 'latin1')
  bytes.writeUInt32LE(formatVersion, 8)
  bytes.writeUInt32LE(header.blockCount, 16)
  bytes.writeUInt32LE(header.classCount, 20)
  bytes.writeDoubleLE(header.tableStart, 24)
  bytes.writeDoubleLE(header.textLength, 32)
  bytes.writeUInt32LE(header.descriptionLength, 40)
  bytes.writeUInt32LE(header.tableChecksum, 44)
  return bytes
}

/** Parses the header. Returns `undefined` if the bytes are not an index, `'outdated'` if they have another version. */
export function parseIndexHeader(bytes: Buffer): IndexHeader | 'outdated' | undefined {
  if (bytes.length < headerSize || bytes.toString('latin1', 0, 8) !== magic) return undefined
  if (bytes.readUInt32LE(8) !== formatVersion) return 'outdated'
  return {
    blockCount: bytes.readUInt32LE(16),
    classCount: bytes.readUInt32LE(20),
    tableStart: bytes.readDoubleLE(24),
    textLength: bytes.readDoubleLE(32),
    descriptionLength: bytes.readUInt32LE(40),
    tableChecksum: bytes.readUInt32LE(44),
  }
}

/** The size of the tables in bytes. */
export function sizeOfTables({ blockCount, classCount, descriptionLength }: IndexHeader): number {
  return 8 * blockCount + 21 * classCount + descriptionLength
}
