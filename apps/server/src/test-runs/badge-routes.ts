import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { drawBadge } from '../test-verdicts/badge.ts'

/** Adds the badge, which needs no token but its secret, because pages of repositories load it as an image. */
export function addBadgeRoutes(app: App, { db }: Pick<AppContext, 'db'>): void {
  app.get(
    '/badge/:file',
    {
      schema: {
        hide: true,
        params: z.object({ file: z.string().max(100) }),
        querystring: z.object({ branch: z.string().min(1).max(1000).optional() }),
      },
    },
    async (request, reply) => {
      const secret = /^([\w-]{22})\.svg$/.exec(request.params.file)?.[1]
      const svg = secret === undefined ? undefined : await drawBadge(db, secret, request.query.branch)
      // Image proxies of code hosts cache an image for days if its headers do not forbid it.
      reply.header('cache-control', 'no-cache, max-age=0').header('x-content-type-options', 'nosniff')
      if (svg === undefined) return reply.code(404).type('text/plain; charset=utf-8').send('There is no such badge')
      return reply
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        .type('image/svg+xml')
        .send(svg)
    },
  )
}
