import type { IncomingMessage } from 'node:http'
import { ApiError } from '@fairlead/contract'

/**
 * Reads a body into memory as the pieces in which it comes. Joining a body of megabytes would hold up every other
 * request for as long as all of its bytes are copied.
 *
 * @throws {ApiError} tooLarge, truncatedBody, slowBody
 */
export async function readPieces(source: IncomingMessage, maxBytes: number): Promise<Buffer[]> {
  if (Number(source.headers['content-length'] ?? 0) > maxBytes) throw new ApiError('tooLarge')
  const pieces: Buffer[] = []
  let length = 0
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onData = (piece: Buffer) => {
    length += piece.length
    if (length > maxBytes) reject(new ApiError('tooLarge'))
    else pieces.push(piece)
  }
  const onClose = () => source.readableEnded || reject(new ApiError('truncatedBody'))
  const onError = (cause: unknown) =>
    reject(cause instanceof ApiError ? cause : new ApiError('truncatedBody', { cause }))
  source.on('data', onData).once('end', resolve).once('error', onError).once('close', onClose)
  try {
    await promise
    return pieces
  } finally {
    source.pause()
    source.off('data', onData).off('end', resolve).off('error', onError).off('close', onClose)
  }
}
