import { ApiError } from '@fairlead/contract'
import type { FastifyReply } from 'fastify'

/**
 * A signal that is aborted when the client closes its connection before the answer is written. Its reason is an
 * ApiError, so that work which stops for it is logged as the client's doing and not as a failure of the server.
 */
export function createHangUpSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const onClose = () => {
    if (!raw.writableFinished) controller.abort(new ApiError('clientClosed'))
  }
  if (raw.destroyed) onClose()
  else raw.once('close', onClose)
  return controller.signal
}
