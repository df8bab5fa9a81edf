import { ApiError } from '@fairlead/contract'
import type { FastifyInstance } from 'fastify'

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
  app.setNotFoundHandler((request) => {
    const path = request.url.split('?')[0] ?? ''
    const allowed = new Set(routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods))
    // A route that takes the method has itself found nothing.
    if (allowed.size === 0 || allowed.has(request.method)) throw new ApiError('notFound')
    throw new ApiError('methodNotAllowed', { headers: { allow: [...allowed].sort().join(', ') } })
  })
}
