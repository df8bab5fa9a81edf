import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { AppContext } from '../context.ts'
import { addGauges } from './gauges.ts'
import { createRequestTally } from './request-tally.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Marks a route whose answer goes on until somebody ends it. */
    isEndless?: boolean
  }
}

export interface Metrics {
  /** Where features register what they count. */
  registry: Registry
  contentType: string
  toText(): Promise<string>
  /** Counts an answer that Fastify's hooks did not see. */
  countAnswer(answer: { method: string; route: string; status: number; seconds: number }): void
}

/** Counts and times requests, labelled by route pattern instead of path, because paths contain secrets and ids. */
export function measureRequests(app: FastifyInstance, context: AppContext): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  addGauges(registry, context)
  const tally = createRequestTally()
  app.addHook('onRequest', (request, _reply, done) => {
    tally.begin(request.method, request.routeOptions.url ?? 'none')
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { url = 'none', config } = request.routeOptions
    // How long a stream stayed open says nothing of how fast the server answers.
    const seconds = config.isEndless === true ? 0 : reply.elapsedTime / 1000
    tally.end(request.method, url, reply.statusCode, seconds)
    done()
  })
  return {
    registry,
    contentType: registry.contentType,
    countAnswer({ method, route, status, seconds }) {
      tally.begin(method, route)
      tally.end(method, route, status, seconds)
    },
    toText: async () => `${await registry.metrics()}\n${tally.toText()}`,
  }
}
