import { Readable } from 'node:stream'
import { createInflateRaw, inflateRawSync } from 'node:zlib'
import { BinaryError } from '../binary-error.ts'
import type { ZipEntry } from './directory.ts'

/** Deflate cannot expand further than this, so a size that would need more is a lie and is not allocated. */
const greatestRatio = 1032

/** Inflates an entry whose declared size is already known to be acceptable; its real size must be the declared one. */
export function inflate(stored: Buffer, entry: ZipEntry, maxBytes: number): Buffer {
  const declared = entry.uncompressedSize
  if (declared > stored.length * greatestRatio + 64) {
    throw new BinaryError('malformed-zip', 'An entry claims more bytes than its data can give.')
  }
  const maxOutputLength = Math.min(declared, maxBytes)
  try {
    const bytes = inflateRawSync(stored, {
      maxOutputLength: maxOutputLength + 1,
      chunkSize: Math.max(64, declared + 1),
    })
    if (bytes.length === declared) return bytes
  } catch (cause) {
    throw new BinaryError('malformed-zip', 'An entry cannot be inflated.', { cause })
  }
  throw new BinaryError('malformed-zip', 'An entry does not have the size that the directory gives.')
}

/** Inflates what comes in chunks; holds two of them at most. */
export async function* inflateChunks(stored: Iterable<Buffer>): AsyncGenerator<Buffer, void> {
  const input = Readable.from(stored, { objectMode: false })
  const output = createInflateRaw({ chunkSize: 256 * 1024 })
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
