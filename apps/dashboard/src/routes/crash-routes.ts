/** The pages of an application's crashes. */
import { createRoute, type SearchSchemaInput } from '@tanstack/react-router'
import {
  crashGroupQuery,
  crashGroupsQuery,
  crashQuery,
  crashRulesQuery,
  missingSymbolsQuery,
  stabilityQuery,
} from '../crashes/queries.ts'
import { type CrashGroupsSearch, readCrashGroupsSearch } from '../early/crash-groups-search.ts'
import { readPathId, requireSame } from '../ui/path-id.ts'
import { applicationRoute } from './application-route.ts'
import { lazyRouteComponent } from '../ui/load-script.ts'

const crashGroupsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'crashes',
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput): CrashGroupsSearch =>
    readCrashGroupsSearch(search),
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) =>
    context.queryClient.ensureInfiniteQueryData(crashGroupsQuery(params.applicationId, deps)),
  component: lazyRouteComponent(() => import('../crashes/CrashGroupsPage.tsx'), 'CrashGroupsPage'),
})

const crashGroupRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'crashes/$crashGroupId',
  params: readPathId('crashGroupId'),
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput): { date?: string | undefined } => ({
    date: readCrashGroupsSearch(search).date,
  }),
  loader: async ({ context, params }) => {
    const group = await context.queryClient.ensureQueryData(crashGroupQuery(params.crashGroupId))
    requireSame(group.applicationId, params.applicationId)
  },
  component: lazyRouteComponent(() => import('../crashes/CrashGroupPage.tsx'), 'CrashGroupPage'),
})

const crashReportRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'crash-reports/$crashId',
  params: readPathId('crashId'),
  loader: async ({ context, params }) => {
    const crash = await context.queryClient.ensureQueryData(crashQuery(params.crashId))
    requireSame(crash.applicationId, params.applicationId)
  },
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
