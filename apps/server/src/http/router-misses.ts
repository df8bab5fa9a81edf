import { ApiError } from '@fairlead/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * Answers requests that match no route: 405 with `Allow` when the path exists under other methods, otherwise 404. Call
 * this before adding routes, because a hook records each route as it is added.
 */
export function answerRouterMisses(app: FastifyInstance): void {
  const routes: { pattern: RegExp; methods: string[] }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    // The dashboard's catch-all route does not make a path exist.
    if (url === '/*') return
    const source = url
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:[A-Za-z]+/g, '[^/]+')
      .replace(/\*$/, '.*')
    routes.push({ pattern: new RegExp(`^${source}$`), methods: [method].flat() })
  })
  const toMiss = (request: FastifyRequest): ApiError => {
    const path = request.url.split('?')[0] ?? ''
    const allowed = new Set(routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods))
    // The method is allowed, so the route itself found nothing.
    if (allowed.size === 0 || allowed.has(request.method)) return new ApiError('notFound')
    return new ApiError('methodNotAllowed', { headers: { allow: [...allowed].sort().join(', ') } })
  }
  // This runs before the body is read, so that an unknown path is reported instead of a fault in the body.
  app.addHook('onRequest', (request, _reply, done) => done(request.is404 ? toMiss(request) : undefined))
  app.setNotFoundHandler((request) => {
    throw toMiss(request)
  })
}
