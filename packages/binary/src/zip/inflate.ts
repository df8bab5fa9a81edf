import { Readable } from 'node:stream'
import { constants, createInflateRaw, inflateRawSync } from 'node:zlib'
import { BinaryError } from '../binary-error.ts'
import type { ZipEntry } from './directory.ts'

/** Bytes of a chunk. Those who need only the start of an entry inflate little more than one. */
const inflatedChunkBytes = 128 * 1024

/** Deflate cannot expand further than this, so a declared size above it is wrong and is not allocated. */
const greatestRatio = 1032

/** Deflated data is hardly ever longer than its uncompressed form; bytes beyond this length are not read. */
export function longestDeflated(uncompressedSize: number): number {
  return Math.ceil(uncompressedSize * 1.125) + 4096
}

/**
 * Inflates an entry whose declared size was already checked. The actual size must equal the declared one.
 *
 * @throws BinaryError `malformed-zip`.
 */
export function inflate(stored: Buffer, entry: ZipEntry): Buffer {
  const declared = entry.uncompressedSize
  if (declared > stored.length * greatestRatio + 64) {
    throw new BinaryError('malformed-zip', 'An entry claims more bytes than its data can give.')
  }
  try {
    const bytes = inflateRawSync(stored, {
      maxOutputLength: declared + 1,
      chunkSize: Math.max(64, declared + 1),
    })
    if (bytes.length === declared) return bytes
  } catch (cause) {
    throw new BinaryError('malformed-zip', 'An entry cannot be inflated.', { cause })
  }
  throw new BinaryError('malformed-zip', 'An entry does not have the size that the directory gives.')
}

/** Inflates data that arrives in chunks, holding at most two of them in memory. */
export async function* inflateChunks(stored: Iterable<Buffer>): AsyncGenerator<Buffer, void> {
  const input = Readable.from(stored, { objectMode: false })
  const output = createInflateRaw({ chunkSize: inflatedChunkBytes })
  input.on('error', (error) => output.destroy(error))
  input.pipe(output)
  try {
    yield* output as AsyncIterable<Buffer>
  } catch (cause) {
    if (cause instanceof BinaryError) throw cause
    throw new BinaryError('malformed-zip', 'An entry cannot be inflated.', { cause })
  } finally {
    input.destroy()
    output.destroy()
  }
}

/** Inflates the first bytes of deflated data; truncated input is not an error here. */
export function inflateStart(stored: Buffer, length: number): Buffer {
  try {
    const maxOutputLength = stored.length * greatestRatio + 64
    return inflateRawSync(stored, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength }).subarray(0, length)
  } catch (cause) {
    throw new BinaryError('malformed-zip', 'An entry cannot be inflated.', { cause })
  }
}
