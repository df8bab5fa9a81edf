/**
 * The lookup file, version 3. It maps an offset in an image to the function, file, line and column there, and to the
 * chain of inlined calls. There is one file per UUID and architecture. It is written once from a dSYM or an ELF
 * file and read by positioned reads. All numbers are little-endian.
 *
 *   header (80 bytes) · regions, each some blocks and then its strings · index
 *
 * Header:
 *    0 magic 46 4c 4c 4f 4f 4b 55 50 ("FLLOOKUP")     8 version (4)          12 number of blocks (4)
 *   16 UUID (16)                                     32 architecture (16, ASCII, padded with zeros)
 *   48 address of __TEXT (8)                         56 place of the index (8)
 *   64 number of regions (4)                         68 1 for a Dart snapshot, else 0 (4)
 *   72 offset of the isolates' code of a Dart        76 the same of the code of its virtual machine (4)
 *      snapshot (4), all ones if there is none
 * Index: for each block 22 bytes, in the order of offsets:
 *    0 first offset that it covers (4) · 4 region (4) · 8 its part
 *   then for each region 14 bytes: its part of strings.
 *   A part is 0 stored length (4) · 4 length once decompressed (4) · 8 place (6).
 *   A block covers up to the next one's first offset, the last one up to 2^32.
 *
 * Blocks and strings are compressed with Zstandard (with its checksum). A region is a run of blocks that share their
 * strings, so that an answer needs one block and one region's strings: two small reads for a new frame, after the two
 * that open the file. A string that several regions use is stored in each of them. A column is its width (4), which
 * is 2 or 4 bytes, and then its numbers in that width, padded with zeros to a multiple of 4. Fixed widths allow a
 * column to be used without decoding, and compression makes up for the size.
 *
 *   Strings: number S (4) · column of S lengths in bytes · the bytes. Their numbers start at 1; 0 is no string.
 *   Block:   number of scopes C (4) · of segments G (4) · columns
 *     of C scopes:   name (string) · distance to the parent, which comes earlier (0: none)
 *                    call file (string) · call line · call column · 1 if the function is artificial
 *     of G segments: start minus the previous start (0 for the first segment, which starts at the block's first
 *                    offset; the width is one that the sum of all fits into) · scope + 1 (0: unknown)
 *                    file (string) · line · column
 *
 * A segment extends to the start of the next one and gives the source location of its code; its scope gives the
 * function. A scope with a parent is an inlined call: it was inlined into its parent at call file, line and column. A
 * scope without a parent is a function. Names are linkage names, as the compiler wrote them, without the underscore
 * that Mach-O puts before them. Line 0 marks code that the compiler generated and that belongs to no line. A segment
 * that only the symbol table describes has a scope and no file.
 */
export const formatVersion = 3

export const magic = Buffer.from('FLLOOKUP', 'latin1')
export const headerLength = 80
/** An offset that is not there. */
export const noOffset = 0xffffffff
export const blockRecordLength = 22
export const regionRecordLength = 14
export const architectureLength = 16

/** Number of segments in a block. More segments make a smaller file, fewer make a faster first answer. */
export const segmentsPerBlock = 2048
/** A region ends with the block in which its strings reach this many bytes. */
export const stringBytesPerRegion = 128 * 1024

/** Limits of a part, which a reader checks before it allocates memory. */
export const maxStoredPart = 64 * 1024 * 1024
export const maxPart = 256 * 1024 * 1024
export const maxParts = 1 << 24
