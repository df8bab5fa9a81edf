import { ApiError } from '@fairlead/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * Answers what no route takes: 405 with `Allow` when the address exists under other methods, else 404.
 * Must be called before the routes are added, since it learns of them as they come.
 */
export function answerRouterMisses(app: FastifyInstance): void {
  const routes: { pattern: RegExp; methods: string[] }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    // The dashboard's catch-all names no address of its own.
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
    // A route that takes the method has itself found nothing.
    if (allowed.size === 0 || allowed.has(request.method)) return new ApiError('notFound')
    return new ApiError('methodNotAllowed', { headers: { allow: [...allowed].sort().join(', ') } })
  }
  // Before the body is read, whose faults are none of an address that does not exist.
  app.addHook('onRequest', (request, _reply, done) => done(request.is404 ? toMiss(request) : undefined))
  app.setNotFoundHandler((request) => {
    throw toMiss(request)
  })
}
