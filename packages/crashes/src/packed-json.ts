import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** More than the largest stack or report that is kept. */
const maxBytes = 256 * 2 ** 20

/** The fastest level; on reports of a few kilobytes the default level takes longer and saves nothing. */
const packing = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** JSON, compressed for the database. */
export function packJson(value: unknown): Buffer {
  return packText(JSON.stringify(value))
}

/** Compresses text that is JSON already. */
export function packText(json: string): Buffer {
  return zstdCompressSync(json, packing)
}

/** The caller names the type that it packed. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function unpackJson<Value>(bytes: Uint8Array): Value {
  return JSON.parse(zstdDecompressSync(bytes, { maxOutputLength: maxBytes }).toString('utf8')) as Value
}
