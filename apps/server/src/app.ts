import { ApiError } from '@fairlead/contract'
import fastify from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { addApiTokenRoutes } from './api-tokens/routes.ts'
import { addApplicationRoutes } from './applications/routes.ts'
import { addBuildRoutes } from './builds/routes.ts'
import { addBuildUploadRoutes } from './builds/upload-routes.ts'
import type { AppContext } from './context.ts'
import { addDistributionGroupRoutes } from './distribution-groups/routes.ts'
import type { App } from './http/app.ts'
import { authenticate } from './http/authenticate.ts'
import { holdUploads } from './http/continue-upload.ts'
import { createErrorHandler } from './http/errors.ts'
import { acceptAnyBody, acceptJson } from './http/parse-json.ts'
import { answerRouterMisses } from './http/router-misses.ts'
import { addInstallRoutes } from './install/routes.ts'
import { describeApi } from './openapi/describe.ts'
import { measureRequests } from './operations/metrics.ts'
import { addOperationsRoutes } from './operations/routes.ts'
import { addSymbolicationRoutes } from './symbolication/routes.ts'
import { addSymbolsFileRoutes } from './symbols-files/routes.ts'
import { addSymbolsUploadRoutes } from './symbols-files/upload-routes.ts'
import { addTesterRoutes } from './testers/routes.ts'

const jsonBodyLimit = 2 ** 20

/** All routes over one context, ready to listen. */
export async function createApp(context: AppContext): Promise<App> {
  const { config, log, closing } = context
  const handleError = createErrorHandler(log)
  const app: App = fastify({
    bodyLimit: jsonBodyLimit,
    trustProxy: config.trustProxy,
    // A slow upload may take hours; what is idle is cut by the socket's own timer.
    requestTimeout: 0,
    connectionTimeout: config.uploadIdleMs + 15_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 1000 },
    frameworkErrors: handleError,
  })
  app.setValidatorCompiler(validatorCompiler)
  // The types promise what an answer holds and the tests check it; writing it is all that is left to do.
  app.setSerializerCompiler(() => (body) => JSON.stringify(body))
  app.setErrorHandler(handleError)
  answerRouterMisses(app)
  holdUploads(app)
  app.addHook('onRequest', (_request, _reply, done) => {
    done(closing.signal.aborted ? new ApiError('shuttingDown', { headers: { connection: 'close' } }) : undefined)
  })
  const metrics = measureRequests(app)
  await describeApi(app, config.baseUrl)
  acceptJson(app)

  addOperationsRoutes(app, context, metrics)
  void app.register(async (pages: App) => addInstallRoutes(pages, context))
  void app.register(async (api: App) => {
    api.addHook('onRequest', authenticate(context))
    addApplicationRoutes(api, context)
    addBuildRoutes(api, context)
    addDistributionGroupRoutes(api, context)
    addTesterRoutes(api, context)
    addSymbolsFileRoutes(api, context)
    addApiTokenRoutes(api, context)
    void api.register(async (uploads: App) => {
      acceptAnyBody(uploads)
      addBuildUploadRoutes(uploads, context)
      addSymbolsUploadRoutes(uploads, context)
    })
    void api.register(async (crashes: App) => addSymbolicationRoutes(crashes, context))
  })
  await app.ready()
  return app
}
