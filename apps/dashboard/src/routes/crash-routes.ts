/** The pages of an application's crashes. */
import { createRoute, type SearchSchemaInput } from '@tanstack/react-router'
import {
  crashGroupQuery,
  crashGroupsQuery,
  type CrashGroupsSearch,
  crashQuery,
  crashRulesQuery,
  missingSymbolsQuery,
  readCrashGroupsSearch,
  stabilityQuery,
} from '../crashes/queries.ts'
import { readPathId } from '../ui/path-id.ts'
import { applicationRoute } from './application-route.ts'
import { lazyRouteComponent } from '../ui/load-script.ts'

const crashGroupsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'crashes',
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput): CrashGroupsSearch =>
    readCrashGroupsSearch(search),
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) =>
    context.queryClient.ensureQueryData(crashGroupsQuery(params.applicationId, deps)),
  component: lazyRouteComponent(() => import('../crashes/CrashGroupsPage.tsx'), 'CrashGroupsPage'),
})

const crashGroupRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'crashes/$crashGroupId',
  params: readPathId('crashGroupId'),
  loader: ({ context, params }) => context.queryClient.ensureQueryData(crashGroupQuery(params.crashGroupId)),
  component: lazyRouteComponent(() => import('../crashes/CrashGroupPage.tsx'), 'CrashGroupPage'),
})

const crashReportRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'crash-reports/$crashId',
  params: readPathId('crashId'),
  loader: ({ context, params }) => context.queryClient.ensureQueryData(crashQuery(params.crashId)),
  component: lazyRouteComponent(() => import('../crashes/CrashReportPage.tsx'), 'CrashReportPage'),
})

const stabilityRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'stability',
  loader: ({ context, params }) => context.queryClient.ensureQueryData(stabilityQuery(params.applicationId)),
  component: lazyRouteComponent(() => import('../crashes/StabilityPage.tsx'), 'StabilityPage'),
})

const crashRulesRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'crash-rules',
  loader: ({ context, params }) => context.queryClient.ensureQueryData(crashRulesQuery(params.applicationId)),
  component: lazyRouteComponent(() => import('../crashes/CrashRulesPage.tsx'), 'CrashRulesPage'),
})

const crashSetUpRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'crash-set-up',
  loader: ({ context, params }) => context.queryClient.ensureQueryData(missingSymbolsQuery(params.applicationId)),
  component: lazyRouteComponent(() => import('../crashes/CrashSetUpPage.tsx'), 'CrashSetUpPage'),
})

export const crashRoutes = [
  crashGroupsRoute,
  crashGroupRoute,
  crashReportRoute,
  stabilityRoute,
  crashRulesRoute,
  crashSetUpRoute,
] as const
