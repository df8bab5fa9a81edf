import { ApiError } from '@fairlead/contract'
import { sql } from 'kysely'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { isSame } from '../secrets/signature.ts'
import type { Metrics } from './metrics.ts'

/** Endpoints for supervisors and load balancers, which need no token, and for Prometheus, which needs one. */
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

  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    const { metricsToken } = context.config
    if (metricsToken === null) throw new ApiError('notFound')
    if (!isSame(request.headers.authorization ?? '', `Bearer ${metricsToken}`)) {
      throw new ApiError('unauthorized', {
        detail: 'The Authorization header must hold FAIRLEAD_METRICS_TOKEN as a Bearer token',
        headers: { 'www-authenticate': 'Bearer' },
      })
    }
    return reply.type(metrics.contentType).send(await metrics.toText())
  })
}
