import type { Readable } from 'node:stream'
import { ApiError } from '@fairlead/contract'

/** The most bytes of a body as it is sent, before decompression. */
export const maxSentBytes = 20 * 2 ** 20
/** Bodies up to this size, in bytes, are read without waiting for a slot. */
const smallBody = 2 ** 20

/** A right to hold a large body in memory. */
export interface BodySlots {
  take(): Promise<Disposable>
}

/** Bounds how many large bodies are in memory at a time. The others wait with their sockets paused. */
export function createBodySlots(count: number): BodySlots {
  const waiting: (() => void)[] = []
  let free = count
  const release = () => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
  return {
    async take() {
      if (free > 0) free--
      else await new Promise<void>((resolve) => waiting.push(resolve))
      let isHeld = true
      return {
        [Symbol.dispose]() {
          if (isHeld) release()
          isHeld = false
        },
      }
    },
  }
}

/**
 * Reads a body into memory. Dispose of the result when its bytes are stored.
 *
 * @throws {ApiError} tooLarge, truncatedBody
 */
export async function readBody(source: Readable, slots: BodySlots): Promise<{ bytes: Buffer } & Disposable> {
  const chunks: Buffer[] = []
  let length = 0
  let slot: Disposable | undefined
  let isWaiting = false
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onData = (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
    if (length > maxSentBytes) {
      reject(new ApiError('tooLarge'))
    } else if (length > smallBody && !slot && !isWaiting) {
      isWaiting = true
      source.pause()
      void slots.take().then((taken) => {
        slot = taken
        source.resume()
      })
    }
  }
  const onEnd = () => resolve()
  // A body that has ended is closed too, and an error that nobody sees would cost its stack trace.
  const onClose = () => source.readableEnded || reject(new ApiError('truncatedBody'))
  const onError = (cause: unknown) => reject(new ApiError('truncatedBody', { cause }))
  source.on('data', onData).once('end', onEnd).once('error', onError).once('close', onClose)
  try {
    await promise
    const [only] = chunks
    const bytes = only && chunks.length === 1 ? only : Buffer.concat(chunks)
    return { bytes, [Symbol.dispose]: () => slot?.[Symbol.dispose]() }
  } catch (error) {
    source.pause()
    slot?.[Symbol.dispose]()
    throw error
  } finally {
    source.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose)
  }
}
