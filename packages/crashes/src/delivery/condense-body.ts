/** Reduces a body of Sentry that is too large to be held in memory to what is read of it. */
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CrashesError } from '../crashes-error.ts'
import { EnvelopeCondenser } from '../sentry/condense-envelope.ts'
import type { ContentEncoding } from './decode-body.ts'
import { openDecoder } from './open-decoder.ts'

export interface CondensedBody {
  /** Takes the bytes of the body. */
  sink: Writable
  /** Resolves with a plain envelope when the body has ended. Rejects with CrashesError: too-large, damaged-encoding. */
  finished: Promise<Buffer>
}

/**
 * @param start the first bytes of the body, two at least
 * @param maxKeptBytes limit of the envelope that is made
 */
export function condenseBody(start: Uint8Array, encoding: ContentEncoding | null, maxKeptBytes: number): CondensedBody {
  const condenser = new EnvelopeCondenser(maxKeptBytes)
  if (encoding === null) {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
    condenser.once('finish', () => resolve(condenser.take())).once('error', reject)
    return { sink: condenser, finished: promise }
  }
  const decoder = openDecoder(encoding, start)
  const finished = pipeline(decoder, condenser).then(
    () => condenser.take(),
    (cause: unknown) => {
      throw cause instanceof CrashesError ? cause : new CrashesError('damaged-encoding', '', { cause })
    },
  )
  return { sink: decoder, finished }
}
