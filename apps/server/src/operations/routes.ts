import { ApiError } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { isSame } from '../secrets/signature.ts'
import type { Metrics } from './metrics.ts'
import { checkDatabase } from './store.ts'

/** Endpoints for supervisors and load balancers, which need no token, and for Prometheus, which needs one. */
export function addOperationsRoutes(app: App, context: AppContext, metrics: Metrics, closing: AbortSignal): void {
  const checkInTime = createReadinessCheck(context)

  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))

  app.get('/readyz', { schema: { hide: true } }, async () => {
    if (closing.aborted) throw new ApiError('shuttingDown')
    try {
      await checkInTime()
    } catch (error) {
      throw new ApiError('notReady', { cause: error, headers: { 'retry-after': '5' } })
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

/** How long the database and the storage together may take to answer, in milliseconds. */
const readinessTimeoutMs = 1500

/** Returns a check that rejects after `readinessTimeoutMs`. Concurrent probes share one run of it. */
function createReadinessCheck({ db, blobs }: Pick<AppContext, 'db' | 'blobs'>): () => Promise<unknown> {
  let running: Promise<unknown> | undefined
  return async () => {
    running ??= Promise.all([checkDatabase(db), blobs.check()]).finally(() => (running = undefined))
    using timer = createTimer(readinessTimeoutMs)
    await Promise.race([running, timer.elapsed])
  }
}

function createTimer(ms: number): Disposable & { elapsed: Promise<never> } {
  const { promise, reject } = Promise.withResolvers<never>()
  const timeout = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  return { elapsed: promise, [Symbol.dispose]: () => clearTimeout(timeout) }
}
