/** Decodes the Content-Encoding of a body, with limits that are enforced while it is being unpacked. */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync, constants } from 'node:zlib'
import { isMarkedAsUntransferable } from 'node:worker_threads'
import { CrashesError } from '../crashes-error.ts'
import { maxUnpackedBytes } from '../limits.ts'

export const contentEncodings = ['gzip', 'deflate', 'br', 'zstd'] as const
export type ContentEncoding = (typeof contentEncodings)[number]

/** Binary logarithm of the largest window in bytes, because a zstd stream may ask for a window of gigabytes. */
export const maxWindowLog = 26

/** Sizes in bytes: of the output, and of the pieces that it is unpacked in. */
interface OutputSizes {
  maxOutputLength: number
  chunkSize: number
  /** How the decoder treats the end of its input; by default as the end of the stream. */
  finishFlush?: number
}

/** With these, the end of the input need not be the end of the stream. */
const flushes: Record<ContentEncoding, number> = {
  gzip: constants.Z_SYNC_FLUSH,
  deflate: constants.Z_SYNC_FLUSH,
  br: constants.BROTLI_OPERATION_FLUSH,
  zstd: constants.ZSTD_e_flush,
}

const decoders: Record<ContentEncoding, (bytes: Uint8Array, sizes: OutputSizes) => Buffer> = {
  gzip: (bytes, sizes) => gunzipSync(bytes, sizes),
  deflate: inflate,
  br: (bytes, sizes) => brotliDecompressSync(bytes, sizes),
  zstd: (bytes, sizes) =>
    zstdDecompressSync(bytes, { ...sizes, params: { [constants.ZSTD_d_windowLogMax]: maxWindowLog } }),
}

/**
 * Chooses a size of the pieces that is likely to hold all of the output. The last four bytes of gzip are the size of
 * the output, unless they lie; other bodies mostly unpack to less than six times their size. Larger pieces than the
 * output make V8 collect garbage more often.
 */
function toChunkSize(bytes: Uint8Array, encoding: ContentEncoding): number {
  const { byteLength, byteOffset, buffer } = bytes
  const hasSize = encoding === 'gzip' && byteLength >= 4
  const size = hasSize ? new DataView(buffer).getUint32(byteOffset + byteLength - 4, true) + 64 : 6 * byteLength
  return Math.min(Math.max(size, 16 * 1024), 2 ** 20)
}

/**
 * @param maxBytes limit of the unpacked body
 * @param pieceBytes the size of the pieces that it is unpacked in, before they are put together
 * @throws {CrashesError} damaged-encoding, too-large
 */
export function decodeBody(
  bytes: Uint8Array,
  encoding: ContentEncoding | null,
  maxBytes: number = maxUnpackedBytes,
  pieceBytes?: number,
): Buffer {
  if (encoding === null) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return decoders[encoding](bytes, {
      maxOutputLength: maxBytes,
      chunkSize: pieceBytes ?? toChunkSize(bytes, encoding),
    })
  } catch (cause) {
    const isTooLarge =
      cause instanceof RangeError || (cause instanceof Error && /larger than|too large/i.test(cause.message))
    throw new CrashesError(isTooLarge ? 'too-large' : 'damaged-encoding', '', { cause })
  }
}

/** The bytes that may hold the header of an envelope, which is 64 KiB at most. */
const plainStart = 64 * 1024 + 1
const packedStart = 8 * 1024
/** Deflate unpacks to 1,032 times its size at most. */
const maxStartLength = 9 * 2 ** 20

/**
 * Decodes the first bytes of a body, of which the rest may not have arrived yet.
 *
 * @throws {CrashesError} damaged-encoding, too-large
 */
export function decodeStart(bytes: Uint8Array, encoding: ContentEncoding | null): Buffer {
  if (encoding === null) return decodeBody(bytes.subarray(0, plainStart), null)
  const start = bytes.subarray(0, packedStart)
  const sizes = { maxOutputLength: maxStartLength, chunkSize: 2 ** 20 }
  try {
    return decoders[encoding](start, { ...sizes, finishFlush: flushes[encoding] })
  } catch (cause) {
    throw new CrashesError(cause instanceof RangeError ? 'too-large' : 'damaged-encoding', '', { cause })
  }
}

/**
 * Gives the memory of a body that `decodeBody` unpacked back at once; the body is empty afterwards. It is outside V8's
 * heap, and V8 would otherwise collect garbage after every few hundred bodies only to free it.
 *
 * @param bytes what the body was unpacked from
 */
export function releaseBody(body: Buffer, bytes: Uint8Array): void {
  const { buffer } = body
  // A plain body is the sender's own bytes. A small one shares the memory of Node's pool, which is untransferable.
  const isShared = buffer === bytes.buffer || isMarkedAsUntransferable(buffer)
  if (!isShared && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** Some clients send deflate without the zlib header that HTTP asks for. */
function inflate(bytes: Uint8Array, sizes: OutputSizes): Buffer {
  return hasZlibHeader(bytes) ? inflateSync(bytes, sizes) : inflateRawSync(bytes, sizes)
}

export function hasZlibHeader([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 15) === 8 && ((first << 8) | second) % 31 === 0
}
