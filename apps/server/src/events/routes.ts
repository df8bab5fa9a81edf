import { ApiError, FollowEvents } from '@fairlead/contract'
import { Gauge, type Registry } from 'prom-client'
import { requireApplication } from '../applications/find.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import type { ConnectionPlaces } from '../http/limit-connections.ts'
import { createStreams } from './streams.ts'

interface Surroundings {
  registry: Registry
  /** Aborted when the server is about to close. */
  closing: AbortSignal
  places: ConnectionPlaces
}

/** Adds the stream of events. See decision 029. */
export function addEventRoutes(app: App, context: AppContext, { registry, closing, places }: Surroundings): void {
  // The other half of the connections is for requests.
  const streams = createStreams(context.feed, { total: Math.ceil(context.config.maxConnections / 2) })
  closing.addEventListener('abort', () => streams.close(), { once: true })
  app.addHook('preClose', async () => streams.close())
  const gauge = new Gauge({
    name: 'fairlead_event_streams',
    help: 'Open streams of events of this process',
    registers: [],
    collect() {
      this.set(streams.count())
    },
  })
  registry.registerMetric(gauge)

  app.get(
    '/v1/events',
    {
      exposeHeadRoute: false,
      config: { role: 'viewer', isEndless: true },
      schema: {
        tags: ['Events'],
        summary: 'Follow the events of a workspace',
        description:
          'Server-sent events: `change`, whose data is a ChangeEvent as JSON, and `refresh` when changes may have ' +
          'been missed. With Last-Event-ID, what has happened since then comes first.',
        operationId: 'followEvents',
        errors: ['applicationNotFound', 'tooManyStreams', 'shuttingDown'],
        querystring: FollowEvents,
        text: 'text/event-stream',
      },
    },
    async (request, reply) => {
      const { caller, query, raw } = request
      if (query.applicationId !== undefined) {
        await requireApplication(context, caller.workspaceId, query.applicationId)
      }
      // The end of a connection that is gone already would never be told of.
      if (reply.raw.destroyed) throw new ApiError('clientClosed')
      streams.requirePlace(caller)
      // The limits of connections and of running requests are for work that ends; streams have limits of their own.
      places.leave(request)
      raw.socket.setTimeout(0)
      reply.headers({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
        // nginx would collect the events until its buffer is full.
        'x-accel-buffering': 'no',
        // The connection has left the limits, so no other request may follow on it.
        connection: 'close',
      })
      void reply.hijack()
      const headers = Object.entries(reply.getHeaders()).flatMap(([name, value]) => [name, String(value)])
      reply.raw.writeHead(200, headers)
      const lastEventId = raw.headers['last-event-id']
      streams.add(
        { caller, applicationId: query.applicationId, response: reply.raw },
        typeof lastEventId === 'string' ? lastEventId.slice(0, 100) : undefined,
      )
    },
  )
}
