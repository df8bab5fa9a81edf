import type { Readable } from 'node:stream'
import { ApiError } from '@fairlead/contract'

/**
 * Passes each piece of a body to `take` and pauses the body while a returned promise is pending. Resolves at the end of
 * the body. It uses events instead of async iteration, which costs up to three promises per piece, and a GiB arrives in
 * some sixteen thousand pieces.
 *
 * @throws {ApiError} idleUpload when no data arrives for `idleMs`, truncatedBody when the client disconnects; and
 * whatever
 *   `take` throws
 */
export async function receivePieces(
  body: Readable,
  idleMs: number,
  take: (piece: Buffer) => Promise<unknown> | undefined,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    // A paused body means that the disk is slow, not the sender.
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
    // The error listener stays attached: a client that disconnects after being refused must not cause an unhandled
    // error.
  }
}
