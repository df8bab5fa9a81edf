import { isUtf8 } from 'node:buffer'
import { ApiError } from '@fairlead/contract'
import type { FastifyInstance } from 'fastify'

/** JSON bodies: none at all reads as null, whatever it is called, and a broken one is told as such. */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'ignore')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const text = body.toString()
    if (text.trim() === '') {
      done(null, null)
      return
    }
    if (!isUtf8(body)) {
      done(new ApiError('malformedJson'))
      return
    }
    void parse(request, text, (error, value) => {
      if (error) done(new ApiError('malformedJson', { cause: error }))
      else done(null, value)
    })
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body: Buffer, done) => {
    if (body.length === 0) done(null, null)
    else done(new ApiError('unsupportedMediaType'))
  })
}

/** Uploads: they are left in the socket for the verb to stream. */
export function acceptAnyBody(app: FastifyInstance): void {
  ignoreContentType(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/** The bytes decide. Fastify would look at the name even so, and refuse what is no media type at all. */
export function ignoreContentType(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    delete request.raw.headers['content-type']
    done()
  })
}
