import { IncomingMessage } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { ApiError } from '@fairlead/contract'
import type { BodySender, BodySlots } from './body-slots.ts'
import { toBodyDeadline } from './limit-bodies.ts'

/** Bodies up to this size, in bytes, are read without a slot while there is memory for them. */
const smallBody = 2 ** 20
/** While others wait for its slot, a sender has to send this many bytes in each interval. */
const slowestBytes = 512 * 1024
const intervalMs = 2000
/** The most bytes that are given to an overflow in one turn of the event loop. */
const bytesOfTurn = 2 ** 20

export interface ReadBodyOptions {
  /** The least time that a body has; see `limitBodyTime`. */
  baseMs: number
  /** The most bytes of the body as it is sent, before decompression. */
  maxBytes: number
  slots: BodySlots
  sender: BodySender
  /** Takes a body that is over the limit, instead of refusing it. */
  overflow?: Overflow | undefined
  /** Looks at the first bytes of a large body before it waits for a slot; a throw refuses the request. */
  checkStart?: ((start: Buffer) => Promise<void>) | undefined
}

/** A reader that keeps less of a body than it is sent. */
export interface Overflow {
  /** The most bytes of the body as it is sent. */
  maxBytes: number
  /** `finished` resolves with what is kept, or rejects with the reason of the refusal. */
  open(start: Buffer): { sink: Writable; finished: Promise<Buffer> }
}

/** A body in memory. Dispose of it when its bytes are stored, so that its slot goes back. */
export interface ReadBody extends Disposable {
  bytes: Buffer
  /** Whether the body was over the limit, so that `bytes` is what its overflow has kept. */
  isReduced: boolean
}

/**
 * Reads a body into memory. A large body waits for a slot with its stream paused. A request that fails or whose client
 * hangs up leaves the queue, and its slot goes to the next. The time that a body waits is not taken from the time that
 * its client has for sending it, because most senders of crashes do not send again what was refused.
 *
 * @throws {ApiError} tooLarge, truncatedBody, slowBody, overloaded
 */
export async function readBody(source: Readable, options: ReadBodyOptions): Promise<ReadBody> {
  using held = new DisposableStack()
  const { baseMs, maxBytes, slots, sender, overflow, checkStart } = options
  const chunks: Buffer[] = []
  let length = 0
  let counted = 0
  let state: 'small' | 'waiting' | 'large' = 'small'
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const ended = new AbortController()
  held.defer(() => slots.removeSmall(sender.owner, counted))
  let deadline: NodeJS.Timeout | undefined
  const limitTime = (bytes: number) => {
    deadline = setTimeout(() => reject(new ApiError('slowBody')), toBodyDeadline(baseMs, bytes))
  }
  limitTime(smallBody)

  const waitForSlot = async () => {
    await checkStart?.(Buffer.concat(chunks))
    clearTimeout(deadline)
    using _awake = keepIdleSocket(source)
    const slot = await slots.take(sender, ended.signal)
    if (ended.signal.aborted) {
      slot[Symbol.dispose]()
      return
    }
    held.use(slot)
    state = 'large'
    limitTime(overflow?.maxBytes ?? maxBytes)
    watchSpeed()
    source.resume()
  }
  /** A slow sender keeps its slot only as long as nobody else needs it. It is not slow while the server is. */
  const watchSpeed = () => {
    let before = length
    let lastAt = performance.now()
    const timer = setInterval(() => {
      const isLate = performance.now() - lastAt > 1.5 * intervalMs
      const isSlow = length - before < slowestBytes && !isLate && !source.isPaused()
      if (slots.waiting > 0 && isSlow) reject(new ApiError('slowBody'))
      before = length
      lastAt = performance.now()
    }, intervalMs)
    ended.signal.addEventListener('abort', () => clearInterval(timer))
  }
  let reduced: ReturnType<Overflow['open']> | undefined
  const reduce = (chunk: Buffer) => {
    if (!overflow || length > overflow.maxBytes) {
      reject(new ApiError('tooLarge'))
      return
    }
    if (!reduced) {
      reduced = overflow.open(Buffer.concat(chunks.slice(0, 2)))
      const { sink } = reduced
      held.defer(() => sink.destroy())
      reduced.finished.catch(reject)
      source.pause()
      void writeInTurns(sink, [...chunks.splice(0), chunk], ended.signal).then(() => {
        // The request was refused meanwhile. `lingerAfterAnswers` reads slowly what its client still sends.
        if (ended.signal.aborted) return
        sink.on('drain', () => source.resume())
        if (!sink.writableNeedDrain) source.resume()
      }, reject)
      return
    }
    if (!reduced.sink.write(chunk)) source.pause()
  }
  const onData = (chunk: Buffer) => {
    length += chunk.length
    if (length > maxBytes) {
      reduce(chunk)
      return
    }
    chunks.push(chunk)
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
  const onEnd = () => (reduced ? reduced.sink.end(() => resolve()) : resolve())
  // A body that has ended is closed too, and an error that nobody sees would cost its stack trace.
  const onClose = () => source.readableEnded || reject(new ApiError('truncatedBody'))
  const onError = (cause: unknown) =>
    reject(cause instanceof ApiError ? cause : new ApiError('truncatedBody', { cause }))
  source.on('data', onData).once('end', onEnd).once('error', onError).once('close', onClose)
  if (source.destroyed && !source.readableEnded) onClose()
  try {
    await promise
    const [only] = chunks
    const bytes = reduced ? await reduced.finished : only && chunks.length === 1 ? only : Buffer.concat(chunks)
    const kept = held.move()
    return { bytes, isReduced: reduced !== undefined, [Symbol.dispose]: () => kept.dispose() }
  } catch (error) {
    source.pause()
    throw error
  } finally {
    clearTimeout(deadline)
    ended.abort(new ApiError('clientClosed'))
    source.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose)
  }
}

/** Writes what has come so far without holding up other requests for as long as it is read. */
async function writeInTurns(sink: Writable, chunks: readonly Buffer[], signal: AbortSignal): Promise<void> {
  let written = 0
  for (const chunk of chunks) {
    if (signal.aborted || sink.destroyed) return
    sink.write(chunk)
    written += chunk.length
    if (written < bytesOfTurn) continue
    written = 0
    await setImmediate()
  }
}

/** Keeps the socket of a request open although nothing is read from it. */
function keepIdleSocket(source: Readable): Disposable {
  const socket = source instanceof IncomingMessage ? source.socket : undefined
  const idleMs = socket?.timeout ?? 0
  socket?.setTimeout(0)
  return { [Symbol.dispose]: () => void socket?.setTimeout(idleMs) }
}
