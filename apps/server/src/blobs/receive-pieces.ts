import type { Readable } from 'node:stream'
import { ApiError } from '@fairlead/contract'

/**
 * Hands the pieces of a body to `take`, one after the other; while a promise of its is pending, the sender waits.
 * Resolves at the end of the body. Listens to events: an iterator costs a promise or three for each piece, and there are
 * sixteen thousand to a gibibyte.
 *
 * @throws {ApiError} idleUpload when the sender says nothing for `idleMs`, truncatedBody when it hangs up; and whatever
 *   `take` throws
 */
export async function receivePieces(
  body: Readable,
  idleMs: number,
  take: (piece: Buffer) => Promise<unknown> | undefined,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    // It is the disk that is slow, not the sender.
    if (body.isPaused()) timer.refresh()
    else reject(new ApiError('idleUpload'))
  }, idleMs)

  const onData = (piece: Buffer) => {
    timer.refresh()
    try {
      const full = take(piece)
      if (!full) return
      body.pause()
      full.then(() => body.resume(), reject)
    } catch (error) {
      reject(error)
    }
  }
  const onHangUp = (cause?: unknown) => reject(new ApiError('truncatedBody', { cause }))

  body.on('data', onData).once('end', resolve).once('error', onHangUp).once('close', onHangUp)
  if (body.destroyed && !body.readableEnded) onHangUp()
  try {
    await promise
  } finally {
    clearTimeout(timer)
    body.off('data', onData).off('end', resolve).off('close', onHangUp)
    // The listener for errors stays: a sender that hangs up after it was refused is nobody's failure.
  }
}
