import type { Readable } from 'node:stream'
import { ApiError } from '@fairlead/contract'
import type { BodySender, BodySlots } from './body-slots.ts'

/** Bodies up to this size, in bytes, are read without a slot while there is memory for them. */
const smallBody = 2 ** 20
/** While others wait for its slot, a sender has to send this many bytes in each interval. */
const slowestBytes = 512 * 1024
const intervalMs = 2000

export interface ReadBodyOptions {
  /** The most bytes of the body as it is sent, before decompression. */
  maxBytes: number
  slots: BodySlots
  sender: BodySender
  /** Looks at the first bytes of a large body before it waits for a slot; a throw refuses the request. */
  checkStart?: ((start: Buffer) => Promise<void>) | undefined
}

/** A body in memory. Dispose of it when its bytes are stored, so that its slot goes back. */
export interface ReadBody extends Disposable {
  bytes: Buffer
}

/**
 * Reads a body into memory. A large body waits for a slot with its stream paused. A request that fails or whose client
 * hangs up leaves the queue, and its slot goes to the next.
 *
 * @throws {ApiError} tooLarge, truncatedBody, slowBody, overloaded
 */
export async function readBody(source: Readable, options: ReadBodyOptions): Promise<ReadBody> {
  using held = new DisposableStack()
  const { maxBytes, slots, sender, checkStart } = options
  const chunks: Buffer[] = []
  let length = 0
  let counted = 0
  let state: 'small' | 'waiting' | 'large' = 'small'
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const ended = new AbortController()
  held.defer(() => slots.removeSmall(sender.owner, counted))

  const waitForSlot = async () => {
    await checkStart?.(Buffer.concat(chunks))
    const slot = await slots.take(sender, ended.signal)
    if (ended.signal.aborted) {
      slot[Symbol.dispose]()
      return
    }
    held.use(slot)
    state = 'large'
    watchSpeed()
    source.resume()
  }
  /** A slow sender keeps its slot only as long as nobody else needs it. */
  const watchSpeed = () => {
    let before = length
    const timer = setInterval(() => {
      if (slots.waiting > 0 && length - before < slowestBytes) reject(new ApiError('slowBody'))
      before = length
    }, intervalMs)
    ended.signal.addEventListener('abort', () => clearInterval(timer))
  }
  const onData = (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
    if (length > maxBytes) {
      reject(new ApiError('tooLarge'))
      return
    }
    if (state !== 'small') return
    if (length <= smallBody && slots.addSmall(sender.owner, chunk.length)) {
      counted += chunk.length
      return
    }
    state = 'waiting'
    source.pause()
    void waitForSlot().catch(reject)
  }
  // A stream that is paused gives its end only after it goes on, so a body never ends while it waits.
  const onEnd = () => resolve()
  // A body that has ended is closed too, and an error that nobody sees would cost its stack trace.
  const onClose = () => source.readableEnded || reject(new ApiError('truncatedBody'))
  const onError = (cause: unknown) =>
    reject(cause instanceof ApiError ? cause : new ApiError('truncatedBody', { cause }))
  source.on('data', onData).once('end', onEnd).once('error', onError).once('close', onClose)
  if (source.destroyed && !source.readableEnded) onClose()
  try {
    await promise
    const [only] = chunks
    const bytes = only && chunks.length === 1 ? only : Buffer.concat(chunks)
    const kept = held.move()
    return { bytes, [Symbol.dispose]: () => kept.dispose() }
  } catch (error) {
    source.pause()
    throw error
  } finally {
    ended.abort(new ApiError('clientClosed'))
    source.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose)
  }
}
