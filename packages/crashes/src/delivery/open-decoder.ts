import type { Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { createInflateRaw, createZstdDecompress } from 'node:zlib'
import { type ContentEncoding, hasZlibHeader, maxWindowLog } from './decode-body.ts'

/** Bytes of the pieces that a stream is unpacked in. Each costs a turn of the event loop and of a thread. */
export const pieceBytes = 256 * 1024

const decoders: Record<ContentEncoding, (start: Uint8Array) => Transform> = {
  gzip: () => createGunzip({ chunkSize: pieceBytes }),
  deflate: (start) => (hasZlibHeader(start) ? createInflate : createInflateRaw)({ chunkSize: pieceBytes }),
  br: () => createBrotliDecompress({ chunkSize: pieceBytes }),
  zstd: () =>
    createZstdDecompress({ chunkSize: pieceBytes, params: { [constants.ZSTD_d_windowLogMax]: maxWindowLog } }),
}

/** Opens a stream that unpacks a body which begins with `start`. */
export function openDecoder(encoding: ContentEncoding, start: Uint8Array): Transform {
  return decoders[encoding](start)
}
