/** The pages of an application but for its crashes and tests. */
import { createRoute, redirect, type SearchSchemaInput } from '@tanstack/react-router'
import { alertRulesQuery, firedQuery } from '../alerts/queries.ts'
import { BuildsPage } from '../builds/BuildsPage.tsx'
import { buildsQuery } from '../builds/queries.ts'
import { type BuildsSearch, type FeedbackSearch, readBuildsSearch, readFeedbackSearch } from '../early/requests.ts'
import { feedbackQuery } from '../feedback/queries.ts'
import { latestLinksQuery } from '../latest-links/queries.ts'
import { overviewQuery } from '../overviews/queries.ts'
import { retentionQuery, runsQuery, trashQuery } from '../retention/queries.ts'
import { symbolsFilesQuery } from '../symbols/queries.ts'
import { applicationRoute } from './application-route.ts'
import { lazyRouteComponent } from '../ui/load-script.ts'

const overviewRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/',
  // The list of builds was here, so links to it with filters lead to it.
  beforeLoad: ({ search, params }) => {
    const filters = readBuildsSearch({ ...search })
    if (Object.keys(filters).length > 0) {
      throw redirect({ to: '/applications/$applicationId/builds', params, search: filters, replace: true })
    }
  },
  loader: async ({ context, params, parentMatchPromise }) => {
    await parentMatchPromise
    await context.queryClient.ensureQueryData(overviewQuery(params.applicationId))
  },
  component: lazyRouteComponent(() => import('../overviews/OverviewPage.tsx'), 'OverviewPage'),
})

const buildsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'builds',
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput): BuildsSearch => readBuildsSearch(search),
  // The router waits for the first list only. When the filters change, the old list stays until the new one is there.
  loader: async ({ context, params, location, parentMatchPromise }) => {
    const search = readBuildsSearch({ ...location.search })
    // The parent route may find the application in another workspace and switch to it, so the builds wait for it.
    await parentMatchPromise
    await context.queryClient.ensureInfiniteQueryData(buildsQuery(params.applicationId, search))
  },
  component: BuildsPage,
})

const latestLinksRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'links',
  loader: async ({ context, params, parentMatchPromise }) => {
    await parentMatchPromise
    await context.queryClient.ensureQueryData(latestLinksQuery(params.applicationId))
  },
  component: lazyRouteComponent(() => import('../latest-links/LatestLinksPage.tsx'), 'LatestLinksPage'),
})

const feedbackRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'feedback',
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput): FeedbackSearch => readFeedbackSearch(search),
  loaderDeps: ({ search }) => search,
  loader: async ({ context, params, deps, parentMatchPromise }) => {
    await parentMatchPromise
    await context.queryClient.ensureInfiniteQueryData(feedbackQuery(params.applicationId, deps))
  },
  component: lazyRouteComponent(() => import('../feedback/FeedbackPage.tsx'), 'FeedbackPage'),
})

const retentionRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'retention',
  loader: async ({ context: { queryClient }, params: { applicationId }, parentMatchPromise }) => {
    await parentMatchPromise
    await Promise.all([
      queryClient.ensureQueryData(retentionQuery(applicationId)),
      queryClient
        .ensureQueryData(runsQuery(applicationId))
        .then((runs) => queryClient.ensureQueryData(trashQuery(applicationId, runs))),
    ])
  },
  component: lazyRouteComponent(() => import('../retention/RetentionPage.tsx'), 'RetentionPage'),
})

const alertsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'alerts',
  loader: async ({ context: { queryClient }, params: { applicationId }, parentMatchPromise }) => {
    await parentMatchPromise
    await Promise.all([
      queryClient.ensureQueryData(alertRulesQuery(applicationId)),
      queryClient.ensureInfiniteQueryData(firedQuery(applicationId)),
    ])
  },
  component: lazyRouteComponent(() => import('../alerts/AlertsPage.tsx'), 'AlertsPage'),
})

const symbolsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'symbols',
  loader: async ({ context, params, parentMatchPromise }) => {
    await parentMatchPromise
    await context.queryClient.ensureQueryData(symbolsFilesQuery(params.applicationId))
  },
  component: lazyRouteComponent(() => import('../symbols/SymbolsPage.tsx'), 'SymbolsPage'),
})

const crashRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'crash',
  component: lazyRouteComponent(() => import('../symbols/CrashPage.tsx'), 'CrashPage'),
})

const uploadByScriptRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'ci',
  component: lazyRouteComponent(() => import('../applications/UploadByScriptPage.tsx'), 'UploadByScriptPage'),
})

const applicationSettingsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'settings',
  component: lazyRouteComponent(() => import('../applications/ApplicationSettingsPage.tsx'), 'ApplicationSettingsPage'),
})

export const applicationRoutes = [
  overviewRoute,
  buildsRoute,
  latestLinksRoute,
  feedbackRoute,
  retentionRoute,
  alertsRoute,
  symbolsRoute,
  crashRoute,
  uploadByScriptRoute,
  applicationSettingsRoute,
] as const
