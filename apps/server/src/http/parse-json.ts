import { isUtf8 } from 'node:buffer'
import { ApiError } from '@fairlead/contract'
import type { FastifyInstance } from 'fastify'

/**
 * Parses JSON bodies. An empty body reads as null whatever its content type; invalid JSON and invalid UTF-8 are
 * refused.
 */
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

/** Leaves the body unread for uploads, so that the verb can stream it. */
export function acceptAnyBody(app: FastifyInstance): void {
  ignoreContentType(app)
  leaveBodyUnread(app)
}

/** Parses no body. Whoever reads it limits its time, or only its pauses. */
export function leaveBodyUnread(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, isStreamed: true }
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/** Removes the Content-Type header, because the bytes decide and Fastify would refuse a malformed media type. */
export function ignoreContentType(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    delete request.raw.headers['content-type']
    done()
  })
}
