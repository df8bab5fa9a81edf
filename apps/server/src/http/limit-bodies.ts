import { ApiError } from '@fairlead/contract'
import type { FastifyInstance, preParsingHookHandler } from 'fastify'

/** The most bytes of a body on routes that anybody may call. */
const anonymousBodyLimit = 16 * 1024
/** The slowest rate of a client, in bytes per second; a route with a larger size limit waits longer. */
const slowestRate = 64 * 1024

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Marks routes that limit the time of their body themselves, or its pauses where it is streamed to the disk. */
    isStreamed?: boolean
  }
}

/**
 * Gives every body that is parsed a deadline: `baseMs`, and a second for each 64 KiB of the route's size limit. A
 * client that sends slower gets 408 and is disconnected, so that slow bodies cannot fill the memory.
 */
export function limitBodyTime(app: FastifyInstance, baseMs: number): void {
  const limitTime: preParsingHookHandler = (request, reply, payload, done) => {
    const { config, bodyLimit } = request.routeOptions
    if (config.isStreamed !== true && !request.raw.complete) {
      const onLate = () => {
        reply.header('connection', 'close')
        // Fastify reads `statusCode`; the error handler answers with the ApiError.
        payload.emit('error', Object.assign(new ApiError('slowBody'), { statusCode: 408 }))
      }
      const timer = setTimeout(onLate, toBodyDeadline(baseMs, bodyLimit))
      const stop = () => clearTimeout(timer)
      for (const event of ['end', 'error', 'close']) payload.once(event, stop)
      // A request that was answered before its end gets none of these events when its connection closes.
      reply.raw.once('close', stop)
    }
    done(null, payload)
  }
  app.addHook('onRoute', (route) => {
    // Fastify parses no bodies of GET and HEAD, so the hook would only cost time.
    if ([route.method].flat().every((method) => method === 'GET' || method === 'HEAD')) return
    route.preParsing = [...[route.preParsing ?? []].flat(), limitTime]
  })
}

/** How many milliseconds a body of up to this size may take to arrive. */
export function toBodyDeadline(baseMs: number, maxBytes: number): number {
  return baseMs + (maxBytes / slowestRate) * 1000
}

/** Lowers the size limit of bodies on the routes of a scope that anybody may call. */
export function limitAnonymousBodies(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.bodyLimit ??= anonymousBodyLimit
  })
}
