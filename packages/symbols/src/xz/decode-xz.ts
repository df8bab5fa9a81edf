/**
 * Decoder of the container `.xz`, for the symbols that are compressed in an ELF file. No package for it runs without
 * native code.
 *
 *   Stream: magic fd 37 7a 58 5a 00 · flags (2; the second is the kind of check) · CRC-32 of the flags (4) · blocks ·
 *           index, which begins with 00 · footer
 *   Block:  0 its header's length / 4 − 1 · 1 flags: filters − 1, 40 coded length given, 80 decoded length given ·
 *           those lengths · filters (identifier, length of properties, properties) · padding · CRC-32 (4) · data,
 *           padded to a multiple of 4 · check of the decoded bytes
 *   Numbers have 7 bits in each byte, the lowest first; the last byte is below 80.
 */
import { crc32 } from 'node:zlib'
import { requireAt } from '@fairlead/invariant'
import { crc64 } from './crc64.ts'
import { decodeLzma2 } from './lzma2.ts'
import { damagedXz, Output } from './output.ts'

const magic = Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00])
const lzma2Filter = 0x21
/** The lengths of the checks in bytes, by their kinds. */
const checkLengths = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64]
const Check = { crc32: 1, crc64: 4 } as const

/** Decodes a stream. Throws `malformed-elf`, and `too-large` beyond `maxBytes`. */
export function decodeXz(input: Buffer, maxBytes: number): Buffer {
  if (!input.subarray(0, magic.length).equals(magic) || input.length < 12) throw damagedXz('They are not in xz.')
  if (crc32(input.subarray(6, 8)) !== input.readUInt32LE(8)) throw damagedXz('The header has another checksum.')
  const check = requireAt(input, 7) & 0xf
  const output = new Output(maxBytes)
  let at = 12
  while (at < input.length && input[at] !== 0) at = decodeBlock(input, at, check, output)
  if (at >= input.length) throw damagedXz('They end before their index.')
  return output.view()
}

function decodeBlock(input: Buffer, start: number, check: number, output: Output): number {
  const headerLength = (requireAt(input, start) + 1) * 4
  const dataStart = start + headerLength
  if (dataStart > input.length) throw damagedXz('A block is cut off.')
  if (crc32(input.subarray(start, dataStart - 4)) !== input.readUInt32LE(dataStart - 4)) {
    throw damagedXz('The header of a block has another checksum.')
  }
  checkFilters(input.subarray(start + 1, dataStart - 4))
  const from = output.length
  const dataEnd = decodeLzma2(input, dataStart, output)
  const checkAt = start + Math.ceil((dataEnd - start) / 4) * 4
  const end = checkAt + requireAt(checkLengths, check)
  if (end > input.length) throw damagedXz('A block is cut off.')
  if (input.subarray(dataEnd, checkAt).some((byte) => byte !== 0)) throw damagedXz('A block has another padding.')
  const decoded = output.view().subarray(from)
  if (check === Check.crc32 && crc32(decoded) !== input.readUInt32LE(checkAt)) throw wrongCheck()
  if (check === Check.crc64 && !crc64(decoded).equals(input.subarray(checkAt, end))) throw wrongCheck()
  return end
}

function wrongCheck() {
  return damagedXz('A block has another checksum.')
}

/** Checks that a block has LZMA2 as its only filter. */
function checkFilters(header: Buffer): void {
  const flags = header[0] ?? 0
  let at = 1
  const skipNumber = () => {
    while ((header[at] ?? 0) >= 0x80) at++
    at++
  }
  if ((flags & 0x40) !== 0) skipNumber()
  if ((flags & 0x80) !== 0) skipNumber()
  if ((flags & 3) !== 0 || header[at] !== lzma2Filter) throw damagedXz('They use a filter other than LZMA2.')
}
