/**
 * The index file of a mapping: its text, compressed in blocks, and where in it each class stands. Made once, when the
 * mapping arrives, so that a trace costs the reading of the classes it names. All numbers are little endian.
 *
 *     header     64 bytes
 *       0  8     the letters FLMAPPED
 *       8  u32   version of this format, 1; a file of another version is built again from the mapping
 *      12  u32   0
 *      16  u32   number of blocks
 *      20  u32   number of classes
 *      24  f64   place of the tables in this file
 *      32  f64   length of the text, in bytes
 *      40  u32   length of the description at the end of the tables
 *      44  u32   CRC-32 of the tables
 *      48        zeros
 *     blocks     each a zstd frame of the next bytes of the text, at most a MiB; cut where a class begins if one does
 *     tables
 *       u32 × blocks    compressed length of each block
 *       u32 × blocks    where the block begins in the text
 *       u32 × classes   where the class's line begins in the text; a class ends where the next begins
 *       u32 × classes   hashes of the obfuscated names, sorted
 *       u32 × classes   number of the class each of these hashes is of
 *       u32 × classes   hashes of the original names, sorted
 *       u32 × classes   number of the class each of these hashes is of
 *       u8  × classes   map version that holds where the class begins
 *       description     JSON in UTF-8: the header of the mapping and what was wrong with it
 *
 * The text is that of the mapping from its first byte to its last, but each line ends with one newline, and a byte
 * order mark at the start is gone. Hashes are FNV-1a, 32 bits, of the UTF-8 of the name. Names with one
 * hash are told apart by reading their lines, so a class can also be there twice.
 */

export const formatVersion = 1
export const headerSize = 64
/** A block ends at the first class behind this length, */
export const blockSize = 128 * 1024
/** and at this length anyway. */
export const maxBlockSize = 1024 * 1024
const magic = 'FLMAPPED'

/** Classes per mapping; a hash and a class number fit in the integers of a double. */
export const maxClasses = 2 ** 21
/** Places in the text are 32 bits. */
export const maxTextLength = 2 ** 32 - 1

/** What the comments at the start of a mapping say. */
export interface MappingHeader {
  /** `pg_map_id`: which program the mapping belongs to. */
  readonly mapId?: string
  /** `pg_map_hash`, for instance `SHA-256 7bd0…`. */
  readonly mapHash?: string
  readonly compiler?: string
  readonly compilerVersion?: string
  readonly minApi?: string
  /** Version of the map format, the first one named. */
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

/** `undefined` where the bytes are of no index, `'outdated'` where they are of one of another version. */
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

/** Bytes of the tables of that header. */
export function sizeOfTables({ blockCount, classCount, descriptionLength }: IndexHeader): number {
  return 8 * blockCount + 21 * classCount + descriptionLength
}
