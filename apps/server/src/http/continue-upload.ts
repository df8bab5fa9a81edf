import type { Readable } from 'node:stream'
import { ApiError } from '@fairlead/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** How long a client that was refused in the middle of its upload may go on sending, to get at the answer. */
const lingerMs = 10_000

/**
 * Lets `Expect: 100-continue` wait until the request was looked at: a client with a wrong token then sends nothing.
 * Node by itself would say "continue" before any handler runs.
 */
export function holdUploads(app: FastifyInstance): void {
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response))
  app.addHook('onResponse', async (request) => {
    const { raw } = request
    if (raw.complete || raw.destroyed) return
    raw.resume()
    const timer = setTimeout(() => {
      if (!raw.complete) raw.socket.destroy()
    }, lingerMs)
    timer.unref()
  })
}

/** Says "continue" to who waits for it, and hands out the body. Too large by its own announcement is refused unread. */
export function continueUpload(request: FastifyRequest, reply: FastifyReply, maxBytes: number): UploadBody {
  return {
    open() {
      if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new ApiError('tooLarge')
      if (request.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue()
      return request.raw
    },
  }
}

/** A body that nobody reads before it is opened. */
export interface UploadBody {
  open(): Readable
}
