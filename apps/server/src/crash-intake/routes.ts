import type { onRequestAsyncHookHandler } from 'fastify'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { leaveBodyUnread } from '../http/parse-json.ts'
import { addAcraRoutes } from './acra-routes.ts'
import { addAppCenterRoutes } from './app-center-routes.ts'
import { createIntake } from './intake.ts'
import { addReportRoute } from './report-routes.ts'
import { addSentryRoutes } from './sentry-routes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The Content-Type header as it was sent; Fastify would refuse a malformed one. */
    sentContentType: string
  }
}

/** The endpoints that apps send their crashes to. `authenticate` admits tokens where a token may send a crash. */
export function addCrashIntakeRoutes(app: App, context: AppContext, authenticate: onRequestAsyncHookHandler): void {
  const intake = createIntake(context)
  app.addHook('onClose', () => intake.throttled[Symbol.asyncDispose]())
  app.decorateRequest('sentContentType', '')
  leaveBodyUnread(app)
  app.addHook('onRequest', (request, reply, done) => {
    request.sentContentType = request.headers['content-type'] ?? ''
    delete request.raw.headers['content-type']
    reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff')
    done()
  })
  void app.register(async (sentry: App) => addSentryRoutes(sentry, intake))
  addAppCenterRoutes(app, intake)
  addAcraRoutes(app, intake)
  addReportRoute(app, intake, authenticate)
}
