import { ApiError } from '@fairlead/contract'
import { sql } from 'kysely'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import type { Metrics } from './metrics.ts'

/** Endpoints for supervisors, load balancers and Prometheus. They need no token and reveal no secrets. */
export function addOperationsRoutes(app: App, context: AppContext, metrics: Metrics, closing: AbortSignal): void {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))

  app.get('/readyz', { schema: { hide: true } }, async () => {
    if (closing.aborted) throw new ApiError('shuttingDown')
    try {
      await Promise.all([sql`select 1`.execute(context.db), context.blobs.check()])
    } catch (error) {
      throw new ApiError('notReady', { cause: error })
    }
    return { status: 'ok' }
  })

  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.toText()),
  )
}
