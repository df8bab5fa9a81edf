import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { AppContext } from '../context.ts'
import { addGauges } from './gauges.ts'

export interface Metrics {
  contentType: string
  toText(): Promise<string>
}

/** Counts and times requests, labelled by route pattern instead of path, because paths contain secrets and ids. */
export function measureRequests(app: FastifyInstance, context: AppContext): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const labelNames = ['method', 'route', 'status'] as const
  const requests = new Counter({
    name: 'fairlead_http_requests_total',
    help: 'Requests answered',
    labelNames,
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'fairlead_http_request_duration_seconds',
    help: 'From the first line of the request to the last byte of the answer',
    labelNames,
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 600],
    registers: [registry],
  })
  const inFlight = new Gauge({
    name: 'fairlead_http_requests_in_flight',
    help: 'Requests that are being answered, among them uploads and downloads under way',
    labelNames: ['method', 'route'] as const,
    registers: [registry],
  })
  addGauges(registry, context)
  app.addHook('onRequest', (request, _reply, done) => {
    inFlight.inc({ method: request.method, route: request.routeOptions.url ?? 'none' })
    done()
  })
  app.addHook('onResponse', async (request, reply) => {
    inFlight.dec({ method: request.method, route: request.routeOptions.url ?? 'none' })
    const labels = { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode }
    requests.inc(labels)
    durations.observe(labels, reply.elapsedTime / 1000)
  })
  return { contentType: registry.contentType, toText: () => registry.metrics() }
}
