import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** More than the largest stack or report that is kept. */
const maxBytes = 256 * 2 ** 20

/** JSON, compressed for the database. */
export function packJson(value: unknown): Buffer {
  return zstdCompressSync(Buffer.from(JSON.stringify(value)))
}

/** The caller names the type that it packed. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function unpackJson<Value>(bytes: Uint8Array): Value {
  return JSON.parse(zstdDecompressSync(bytes, { maxOutputLength: maxBytes }).toString('utf8')) as Value
}
