import { ApiError } from '@fairlead/contract'
import type { FastifyInstance } from 'fastify'

/** JSON bodies: none at all reads as null, and a broken one is told as such. */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'ignore')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (body.trim() === '') {
      done(null, null)
      return
    }
    void parse(request, body, (error, value) => {
      if (error) done(new ApiError('malformedJson', { cause: error }))
      else done(null, value)
    })
  })
}

/** Uploads: whatever the client calls its bytes, they are left in the socket for the verb to stream. */
export function acceptAnyBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
}
