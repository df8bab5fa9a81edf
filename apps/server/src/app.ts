import { maxHeaderSize } from 'node:http'
import { join } from 'node:path'
import cookie from '@fastify/cookie'
import fastify from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { addAccountRoutes } from './accounts/routes.ts'
import { addAgentRoutes } from './agents/routes.ts'
import { addAlertRoutes } from './alerts/routes.ts'
import { addApiTokenRoutes } from './api-tokens/routes.ts'
import { addApplicationRoutes } from './applications/routes.ts'
import { recordActions, requireActions } from './audit/record.ts'
import { addAuditRoutes } from './audit/routes.ts'
import { addBuildFactRoutes } from './build-facts/routes.ts'
import { addInstallLinkRoutes } from './builds/install-link-routes.ts'
import { addBuildRoutes } from './builds/routes.ts'
import { addBuildUploadRoutes } from './builds/upload-routes.ts'
import { addCommitRoutes } from './commits/routes.ts'
import { addCrashKeyRoutes } from './crash-intake/key-routes.ts'
import { addCrashIntakeRoutes } from './crash-intake/routes.ts'
import { addCrashGroupRoutes } from './crashes/group-routes.ts'
import { addCrashRoutes } from './crashes/routes.ts'
import type { AppContext } from './context.ts'
import { findOfferedCli } from './cli-download/offered-cli.ts'
import { addCliDownloadRoutes } from './cli-download/routes.ts'
import { addDashboardRoutes } from './dashboard/routes.ts'
import { addAppStoreConnectRoutes } from './devices/app-store-connect-routes.ts'
import { addDeviceRoutes } from './devices/routes.ts'
import { addDistributionGroupRoutes } from './distribution-groups/routes.ts'
import { addEventRoutes } from './events/routes.ts'
import { addExplanationRoutes } from './explanations/routes.ts'
import type { App } from './http/app.ts'
import { addFeedbackRoutes } from './feedback/routes.ts'
import { addHookDeliveryRoutes } from './hooks/delivery-routes.ts'
import { addHookRoutes } from './hooks/routes.ts'
import { authenticate } from './access/authenticate.ts'
import { cleanForwardedFor } from './http/clean-forwarded-for.ts'
import { createClientErrorHandler } from './http/client-error.ts'
import { holdUploads } from './http/continue-upload.ts'
import { compressJson } from './http/compress-json.ts'
import { createErrorHandler } from './http/errors.ts'
import { limitAnonymousBodies, limitBodyTime } from './http/limit-bodies.ts'
import { lingerAfterAnswers } from './http/linger.ts'
import { limitConnections } from './http/limit-connections.ts'
import { acceptAnyBody, acceptJson } from './http/parse-json.ts'
import { warnOfForwardedHeaders } from './http/forwarded-header.ts'
import { readRequestTarget } from './http/request-target.ts'
import { createKeptAnswers, keepAnswers, replayAnswers } from './http/replay-answers.ts'
import { answerRouterMisses } from './http/router-misses.ts'
import { addSignInOptionRoutes } from './identities/access-routes.ts'
import { addIdentityRoutes } from './identities/account-routes.ts'
import { addProviderRoutes } from './identities/routes.ts'
import { addBaseUrlRoutes } from './install/base-url-routes.ts'
import { addInstallRoutes } from './install/routes.ts'
import { addInstallStatisticsRoutes } from './builds/install-statistics-routes.ts'
import { addInvitationRoutes, addInvitedRoutes } from './invitations/routes.ts'
import { addLatestLinkRoutes } from './latest-links/routes.ts'
import { addCallerRoutes } from './logins/caller-routes.ts'
import { addLoginDecisionRoutes, addLoginRoutes } from './logins/routes.ts'
import { addMailRoutes } from './mails/routes.ts'
import { addWaitingMailRoutes } from './mails/waiting-routes.ts'
import { addGroupRoleRoutes } from './members/group-role-routes.ts'
import { addMemberRoutes } from './members/routes.ts'
import { describeApi } from './openapi/describe.ts'
import { addReferenceRoutes } from './openapi/routes.ts'
import { measureRequests } from './operations/metrics.ts'
import { addOperationsRoutes } from './operations/routes.ts'
import { addOverviewRoutes } from './overviews/routes.ts'
import { addPasswordResetRoutes } from './password-resets/routes.ts'
import { addRetentionRoutes } from './retention/routes.ts'
import { addTrashRoutes } from './retention/trash-routes.ts'
import { addSentryReleaseRoutes } from './sentry-cli/release-routes.ts'
import { addSentryCliRoutes } from './sentry-cli/routes.ts'
import { requireSignedIn } from './sessions/resume.ts'
import { addSessionRoutes, addSignInRoute } from './sessions/routes.ts'
import { addServerAdminRoutes } from './server-admin/routes.ts'
import { addSetUpRoutes } from './set-up/routes.ts'
import { addSymbolicationRoutes } from './symbolication/routes.ts'
import { addSymbolsFileRoutes } from './symbols-files/routes.ts'
import { createSymbolsIndexer } from './symbols-files/symbols-indexer.ts'
import { addSymbolsUploadRoutes } from './symbols-files/upload-routes.ts'
import { addGroupTesterRoutes } from './testers/group-routes.ts'
import { addTesterRoutes } from './testers/routes.ts'
import { addBuildTesterRoutes } from './tester-pages/build-tester-routes.ts'
import { addTesterPageRoutes } from './tester-pages/routes.ts'
import { addBadgeRoutes } from './test-runs/badge-routes.ts'
import { addTestFailureRoutes } from './test-runs/failure-routes.ts'
import { addTestOwnerRoutes } from './test-runs/owner-routes.ts'
import { addTestSplitRoutes } from './test-runs/split-routes.ts'
import { addTestRoutes } from './test-runs/routes.ts'
import { addTestRunRoutes } from './test-runs/run-routes.ts'
import { addTestReportUploadRoutes } from './test-runs/upload-routes.ts'
import { addTraceViewerRoutes } from './trace-viewer/routes.ts'
import { addTwoFactorRoutes } from './two-factor/routes.ts'
import { addUploadRoutes } from './uploads/routes.ts'
import { addNewWorkspaceRoute, addWorkspaceRoutes } from './workspaces/routes.ts'

const jsonBodyLimit = 2 ** 20

/**
 * Creates the Fastify application with all routes. Once `closing` is aborted, each connection is closed after its
 * answer.
 */
export async function createApp(context: AppContext, closing: AbortSignal): Promise<App> {
  const { config, log } = context
  const handleError = createErrorHandler(log)
  const app: App = fastify({
    bodyLimit: jsonBodyLimit,
    // `true` means one proxy: entries of X-Forwarded-For before the last one may have been written by the client.
    trustProxy: config.trustProxy === true ? (_address, hop) => hop === 0 : config.trustProxy,
    // A slow upload may take hours, so there is no limit on the whole request; idle sockets are closed by this timeout.
    requestTimeout: 0,
    connectionTimeout: config.uploadIdleMs + 15_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Equal to Node's header limit, so that an overlong path parameter reaches its route and gets that route's error.
    routerOptions: { maxParamLength: maxHeaderSize },
    rewriteUrl: (request) => readRequestTarget(request.url ?? '/'),
    // Links are made from the configured base URL, so the Host header is never needed.
    http: { requireHostHeader: false },
    // Fastify would load compilers for JSON Schema, which takes a tenth of the start-up time and which nothing uses.
    schemaController: { compilersFactory: { buildValidator: refuseCompiler, buildSerializer: refuseCompiler } },
    frameworkErrors: handleError,
    clientErrorHandler: createClientErrorHandler(log),
  })
  app.setValidatorCompiler(validatorCompiler)
  // Answers are typed and tested but not validated at run time; see decision 003.
  app.setSerializerCompiler(() => (body) => JSON.stringify(body))
  app.setErrorHandler(handleError)
  lingerAfterAnswers(app)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff')
    if (config.baseUrl.startsWith('https:')) reply.header('strict-transport-security', 'max-age=31536000')
    done()
  })
  requireActions(app)
  cleanForwardedFor(app)
  const places = limitConnections(app, {
    total: config.maxConnections,
    perAddress: config.maxConnectionsPerAddress,
    trustProxy: config.trustProxy,
  })
  limitBodyTime(app, config.bodyTimeoutMs)
  answerRouterMisses(app)
  holdUploads(app)
  // HTTP allows a server to ignore an unknown `Expect` header; Node would answer 417 without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  // Requests on open connections are still answered during a restart, so that none fails behind a proxy. The header
  // closes the connection after the answer, and the proxy opens its next one to another replica.
  app.addHook('onRequest', (_request, reply, done) => {
    if (closing.aborted) reply.header('connection', 'close')
    done()
  })
  warnOfForwardedHeaders(app, log)
  const metrics = measureRequests(app, context)
  await describeApi(app, config.baseUrl)
  acceptJson(app)
  await app.register(cookie)

  const kept = createKeptAnswers()
  const symbolsIndexer = createSymbolsIndexer()
  addOperationsRoutes(app, context, metrics, closing)
  const offeredCli = findOfferedCli()
  addCliDownloadRoutes(app, offeredCli)
  addReferenceRoutes(app, offeredCli)
  void app.register(async (pages: App) => addInstallRoutes(pages, context))
  void app.register(async (pages: App) => addTesterPageRoutes(pages, context))
  void app.register(async (pages: App) => addProviderRoutes(pages, context))
  addBadgeRoutes(app, context)
  void app.register(async (api: App) => {
    keepFromCaches(api)
    await compressJson(api)
    limitAnonymousBodies(api)
    recordActions(api, context)
    addSetUpRoutes(api, context)
    addSignInRoute(api, context)
    addSignInOptionRoutes(api, context)
    addPasswordResetRoutes(api, context)
    addInvitedRoutes(api, context)
    addLoginRoutes(api, context)
  })
  void app.register(async (api: App) => {
    keepFromCaches(api)
    await compressJson(api)
    api.addHook('onRequest', requireSignedIn(context))
    recordActions(api, context)
    addSessionRoutes(api, context)
    addAccountRoutes(api, context)
    addIdentityRoutes(api, context)
    addLoginDecisionRoutes(api, context)
    addNewWorkspaceRoute(api, context)
    addTwoFactorRoutes(api, context)
    void api.register(async (server: App) => addServerAdminRoutes(server, context))
  })
  void app.register(async (api: App) => {
    api.addHook('onRequest', (_request, reply, done) => {
      reply.header('cache-control', 'private, no-cache').header('x-content-type-options', 'nosniff')
      done()
    })
    await compressJson(api)
    keepAnswers(api, kept, context.memo.changes)
    api.addHook('onRequest', authenticate(context))
    recordActions(api, context)
    addAuditRoutes(api, context)
    addApplicationRoutes(api, context)
    addOverviewRoutes(api, context)
    addBuildRoutes(api, context)
    addBuildFactRoutes(api, context)
    addDistributionGroupRoutes(api, context)
    addGroupTesterRoutes(api, context)
    addTesterRoutes(api, context)
    addSymbolsFileRoutes(api, context)
    addApiTokenRoutes(api, context)
    addCallerRoutes(api, context)
    addInstallStatisticsRoutes(api, context)
    addBuildTesterRoutes(api, context)
    addInstallLinkRoutes(api, context)
    addLatestLinkRoutes(api, context)
    addRetentionRoutes(api, context)
    addTrashRoutes(api, context)
    addInvitationRoutes(api, context)
    addMemberRoutes(api, context)
    addGroupRoleRoutes(api, context)
    addWorkspaceRoutes(api, context)
    addBaseUrlRoutes(api, context, offeredCli)
    addMailRoutes(api, context)
    addFeedbackRoutes(api, context)
    addDeviceRoutes(api, context)
    addAppStoreConnectRoutes(api, context)
    addHookRoutes(api, context)
    addAlertRoutes(api, context)
    addHookDeliveryRoutes(api, context)
    addTestRoutes(api, context)
    addTestRunRoutes(api, context)
    addTestOwnerRoutes(api, context)
    addTestSplitRoutes(api, context)
    addTestFailureRoutes(api, context)
    addExplanationRoutes(api, context)
    addWaitingMailRoutes(api, context)
    addCrashKeyRoutes(api, context)
    addCrashRoutes(api, context)
    addCrashGroupRoutes(api, context)
    addEventRoutes(api, context, { registry: metrics.registry, closing, places })
    void api.register(async (uploads: App) => {
      acceptAnyBody(uploads)
      addBuildUploadRoutes(uploads, context)
      addSymbolsUploadRoutes(uploads, context, symbolsIndexer)
      addTestReportUploadRoutes(uploads, context)
    })
    void api.register(async (uploads: App) => addUploadRoutes(uploads, context))
    void api.register(async (crashes: App) => addSymbolicationRoutes(crashes, context))
    void api.register(async (commits: App) => addCommitRoutes(commits, context))
  })
  void app.register(async (intake: App) => addCrashIntakeRoutes(intake, context, authenticate(context)))
  void app.register(async (uploads: App) => {
    keepFromCaches(uploads)
    uploads.removeAllContentTypeParsers()
    uploads.addContentTypeParser('*', (_request, _payload, done) => done(null))
    addSentryCliRoutes(uploads, context, symbolsIndexer)
  })
  void app.register(async (releases: App) => {
    keepFromCaches(releases)
    addSentryReleaseRoutes(releases, context)
  })
  void app.register(async (agents: App) => addAgentRoutes(agents, context, metrics.registry))
  const keptDashboard = { folder: join(config.dataDir, 'dashboard'), log }
  void app.register(async (pages: App) => addTraceViewerRoutes(pages))
  void app.register(async (pages: App) => addDashboardRoutes(pages, { kept: keptDashboard }))
  await app.ready()
  replayAnswers(app, {
    kept,
    trustsProxies: config.trustProxy !== false,
    mayReplay: () => !closing.aborted && context.installs.isEmpty(),
    count: (route, seconds) => metrics.countAnswer({ method: 'GET', route, status: 200, seconds }),
  })
  return app
}

function refuseCompiler(): never {
  throw new Error('Schemas are compiled by zod only.')
}

/** Forbids caching of answers that may hold secrets. */
function keepFromCaches(app: App): void {
  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
  })
}
