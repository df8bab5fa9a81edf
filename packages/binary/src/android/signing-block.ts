/**
 * The APK signing block ends where the zip directory begins. All numbers are little-endian.
 *   0 size of the rest (u64) · pairs · size again (u64) · "APK Sig Block 42"
 *   a pair: 0 length of the rest (u64) · 8 id (u32) · 12 value
 * Inside the values, every item of variable length is prefixed with its length (u32), and a list is a prefixed run of
 * such items. The block counts only if the end record follows the directory without a gap, as Android requires.
 */
import { BinaryError } from '../binary-error.ts'
import type { ZipArchive } from '../zip/zip.ts'

const magic = Buffer.from('APK Sig Block 42')
const maxBlockBytes = 16 * 1024 * 1024
const maxPairs = 1000

export const blockId = { v2: 0x7109871a, v3: 0xf05368c0, 'v3.1': 0x1b93ad61 } as const

export type BlockScheme = keyof typeof blockId

/** All schemes that a signing block may have, the oldest first. */
export const blockSchemes = ['v2', 'v3', 'v3.1'] as const satisfies BlockScheme[]

export interface SigningBlock {
  /** Offset of the block, which is where the contents of the APK end. */
  offset: number
  pairs: { id: number; value: Buffer }[]
}

/**
 * Finds the signing block, or returns undefined if there is none.
 *
 * @throws BinaryError `too-large` or `malformed-signature`; RangeError if the block is truncated.
 */
export function findSigningBlock(apk: ZipArchive): SigningBlock | undefined {
  const { source, directoryOffset } = apk
  if (directoryOffset < 32 || apk.directoryOffset + apk.directorySize !== apk.endOffset) return undefined
  const footer = source.read(directoryOffset - 24, 24)
  if (!footer.subarray(8).equals(magic)) return undefined
  const size = footer.readBigUInt64LE(0)
  if (size < 24n || size > BigInt(directoryOffset - 8)) throw malformed('Its size is impossible.')
  if (size > BigInt(maxBlockBytes)) throw new BinaryError('too-large', 'The APK signing block is too large.')
  const offset = directoryOffset - Number(size) - 8
  const block = source.read(offset, Number(size) - 16)
  if (block.readBigUInt64LE(0) !== size) throw malformed('Its two sizes differ.')
  return { offset, pairs: readPairs(block) }
}

function readPairs(block: Buffer): SigningBlock['pairs'] {
  const pairs: SigningBlock['pairs'] = []
  for (let at = 8; at < block.length;) {
    const length = Number(block.readBigUInt64LE(at))
    const end = at + 8 + length
    if (length < 4 || end > block.length) throw malformed('One of its parts reaches past it.')
    if (pairs.length >= maxPairs) throw new BinaryError('too-large', 'The APK signing block has too many parts.')
    pairs.push({ id: block.readUInt32LE(at + 8), value: block.subarray(at + 12, end) })
    at = end
  }
  return pairs
}

function malformed(detail: string): BinaryError {
  return new BinaryError('malformed-signature', detail)
}
