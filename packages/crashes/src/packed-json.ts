import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** More than the largest stack or report that is kept. */
const maxBytes = 256 * 2 ** 20

/** The fastest level; on reports of a few kilobytes the default level takes longer and saves nothing. */
const level = { [constants.ZSTD_c_compressionLevel]: 1 }
/** 64 KiB. Setting up a larger window takes as long as compressing 10 kB, and finds no more in a short text. */
const smallWindow = { [constants.ZSTD_c_windowLog]: 16 }
const packing = { params: level }
const packingShort = { params: { ...level, ...smallWindow } }

/** JSON, compressed for the database. */
export function packJson(value: unknown): Buffer {
  return packText(JSON.stringify(value))
}

/** Compresses text that is JSON already. */
export function packText(json: string): Buffer {
  return zstdCompressSync(json, json.length <= 2 ** 16 ? packingShort : packing)
}

/** The caller names the type that it packed. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as said above
export function unpackJson<Value>(bytes: Uint8Array): Value {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `packJson` and `packText` write such bytes
  return JSON.parse(zstdDecompressSync(bytes, { maxOutputLength: maxBytes }).toString('utf8')) as Value
}
