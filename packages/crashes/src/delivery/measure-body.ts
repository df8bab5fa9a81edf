/** Measures what a body unpacks to, so that one over its limit is refused without being held in memory. */
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CrashesError } from '../crashes-error.ts'
import { maxEventBytes, maxUnpackedBytes } from '../limits.ts'
import { type ContentEncoding, releaseBody } from './decode-body.ts'
import { openDecoder, pieceBytes } from './open-decoder.ts'
import type { DeliveryProtocol } from './read-delivery.ts'

/** The most bytes that a body of each protocol unpacks to. A stored event may be base64 of its zlib stream. */
const limits: Record<DeliveryProtocol, number> = {
  envelope: maxUnpackedBytes,
  store: 2 * maxEventBytes,
  appcenter: maxUnpackedBytes,
  acra: maxEventBytes,
  report: maxEventBytes,
}

/**
 * Returns the size of an unpacked body in bytes.
 *
 * @throws {CrashesError} too-large as soon as it exceeds the limit of its protocol, damaged-encoding
 */
export async function measureBody(
  bytes: Uint8Array,
  encoding: ContentEncoding,
  protocol: DeliveryProtocol,
): Promise<number> {
  let size = 0
  const counter = new Writable({
    write(piece: Buffer, _encoding, done) {
      size += piece.length
      // The stream goes on with a new buffer when a piece has filled one, whose memory is then given back at once.
      if (piece.length === pieceBytes && piece.buffer.byteLength === pieceBytes) releaseBody(piece, bytes)
      done(size > limits[protocol] ? new CrashesError('too-large', 'It unpacks to too many bytes.') : null)
    },
  })
  try {
    await pipeline([bytes], openDecoder(encoding, bytes), counter)
    return size
  } catch (error) {
    if (error instanceof CrashesError) throw error
    throw new CrashesError('damaged-encoding', '', { cause: error })
  }
}
