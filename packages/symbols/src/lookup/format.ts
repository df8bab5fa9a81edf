/**
 * The lookup file, version 1: from an offset in an image to the function, file, line and column there, and to what was inlined into what.
 * One file per UUID and architecture, written once from a dSYM, read by positioned reads. All numbers are little-endian.
 *
 *   header (64 bytes) · blocks · index
 *
 * Header:
 *    0 magic 46 4c 4c 4f 4f 4b 55 50 ("FLLOOKUP")     8 version (4)          12 number of blocks (4)
 *   16 UUID (16)                                     32 architecture (16, ASCII, padded with zeros)
 *   48 address of __TEXT (8)                         56 offset of the index (8)
 * Index: for each block 12 bytes: 0 first offset that it covers (4) · 4 place in the file (6) · 10 zero (2); in the end a 13th word:
 *   the place where the last block ends (6) and zero (2). A block covers up to the next one's first offset, the last one up to 2^32.
 *
 * A block is compressed with Zstandard (with its checksum) and stands for itself: it needs nothing of any other block, so that a new
 * frame costs one read after the two that open the file. Inside, all numbers are ULEB128 of at most 32 bits, and parallel columns one
 * after the other, which is what compresses best:
 *
 *   number of strings S · of scopes C · of segments G
 *   strings:  S lengths in bytes, then the bytes. String 0 is not written: it is no string.
 *   scopes:   C × name (string) · C × distance to the parent (0: none; the parent stands before it)
 *             · C × call file (string) · C × call line · C × call column
 *   segments: G × start, less the start before it (the first: less the block's first offset) · G × scope + 1 (0: nothing is known here)
 *             · G × file (string) · G × line less the line before it, in zigzag · G × column
 *
 * A segment goes up to the next one's start, and says where the code at its offsets comes from; its scope says in which function. A scope
 * with a parent is an inlined call: the parent is what it was inlined into, at call file, line and column. A scope without one is a
 * function. Names are linkage names, as the compiler wrote them and without the underscore that Mach-O puts before them.
 * Line 0 is code that the compiler made and that belongs to no line. Where debug information is silent but the symbol table is not, the
 * segment has a scope and no file.
 */
export const formatVersion = 1

export const magic = Buffer.from('FLLOOKUP', 'latin1')
export const headerLength = 64
export const indexRecordLength = 12
export const indexEndLength = 8
export const architectureLength = 16

/** Segments of a block. More make a smaller file, fewer a faster first answer. */
export const segmentsPerBlock = 2048
/** Bytes of names and paths after which a block ends early, so that a block of long names stays small. */
export const stringBytesPerBlock = 512 * 1024

/** Limits that a reader holds a block to before it allocates anything. */
export const maxCompressedBlock = 16 * 1024 * 1024
export const maxBlock = 64 * 1024 * 1024
export const maxBlocks = 1 << 24
