import type { Readable } from 'node:stream'
import { ApiError } from '@fairlead/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * Delays `100 Continue` until the request has been authorized, so that a client with a wrong token sends no body. Node
 * would otherwise answer it before any handler runs.
 */
export function holdUploads(app: FastifyInstance): void {
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response))
}

/**
 * Returns the body. Opening it answers `Expect: 100-continue`, and refuses a Content-Length above the limit without
 * reading.
 */
export function continueUpload(request: FastifyRequest, reply: FastifyReply, maxBytes: number): UploadBody {
  const length = request.headers['content-length']
  return {
    size: length === undefined ? null : Number(length),
    open() {
      if (Number(length ?? 0) > maxBytes) throw new ApiError('tooLarge')
      if (request.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue()
      return request.raw
    },
  }
}

/** A request body that is not read before it is opened. */
export interface UploadBody {
  /** The Content-Length; null when the client did not send one. */
  size: number | null
  open(): Readable
}
