import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
  type SearchSchemaInput,
} from '@tanstack/react-router'
import { chooseWorkspace } from './early/client.ts'
import { loadFromAnyWorkspace } from './workspace/load-from-any-workspace.ts'
import { sessionQuery } from './api/session.ts'
import { accountPaths } from './access/paths.ts'
import { SignInPage } from './access/SignInPage.tsx'
import { ApplicationLayout } from './applications/ApplicationLayout.tsx'
import { ApplicationsPage } from './applications/ApplicationsPage.tsx'
import { applicationQuery, applicationsQuery } from './applications/queries.ts'
import { BuildPage } from './builds/BuildPage.tsx'
import { BuildsPage } from './builds/BuildsPage.tsx'
import { buildQuery, buildsQuery } from './builds/queries.ts'
import { type BuildsSearch, readBuildsSearch } from './early/requests.ts'
import {
  crashGroupQuery,
  crashGroupsQuery,
  type CrashGroupsSearch,
  crashQuery,
  crashRulesQuery,
  missingSymbolsQuery,
  readCrashGroupsSearch,
  stabilityQuery,
} from './crashes/queries.ts'
import { groupQuery, groupsQuery, groupTestersQuery, testersQuery } from './groups/queries.ts'
import { invitationsQuery, membersQuery } from './members/queries.ts'
import { mailsQuery } from './outbox/queries.ts'
import { serverAccountsQuery, serverWorkspacesQuery } from './server/queries.ts'
import { Shell } from './shell/Shell.tsx'
import { symbolsFilesQuery } from './symbols/queries.ts'
import { readId, readRunsSearch, readTestsSearch, type RunsSearch, type TestsSearch } from './tests/search.ts'
import { apiTokensQuery } from './tokens/queries.ts'
import { NotFound } from './ui/NotFound.tsx'
import { readPathId } from './ui/path-id.ts'
import { workspaceQuery } from './workspace/queries.ts'

const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Outlet })

const readText = (value: unknown) => (typeof value === 'string' ? value : '')

const setUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: accountPaths.setUp,
  validateSearch: (search: Record<string, unknown>) => ({ code: readText(search['code']) }),
  component: lazyRouteComponent(() => import('./access/SetUpPage.tsx'), 'SetUpPage'),
})

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: accountPaths.signIn,
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput): { next?: string | undefined } => {
    const { next } = search
    // Only a path of this site is accepted, so that the sign-in never redirects to another site (open redirect). The
    // key is always returned, because the router would keep the old value of a missing one.
    return { next: typeof next === 'string' && /^\/(?![/\\])/.test(next) ? next : undefined }
  },
  component: SignInPage,
})

const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: accountPaths.forgotPassword,
  component: lazyRouteComponent(() => import('./access/ForgotPasswordPage.tsx'), 'ForgotPasswordPage'),
})

const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: accountPaths.resetPassword,
  validateSearch: (search: Record<string, unknown>) => ({ token: readText(search['token']) }),
  component: lazyRouteComponent(() => import('./access/ResetPasswordPage.tsx'), 'ResetPasswordPage'),
})

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: accountPaths.invitation,
  validateSearch: (search: Record<string, unknown>) => ({ token: readText(search['token']) }),
  component: lazyRouteComponent(() => import('./access/InvitationPage.tsx'), 'InvitationPage'),
})

/** The frame of every page that needs an account. */
const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: Shell,
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (!session) {
      const next = location.href === '/' ? {} : { next: location.href }
      throw redirect({ to: '/sign-in', search: next, replace: true })
    }
    // A workspace that requires a second factor answers nothing before it is set up, so that page comes first.
    const workspace = chooseWorkspace(session.workspaces)
    const isHeldUp = workspace?.isTwoFactorRequired === true && !session.hasTwoFactor
    if (isHeldUp && location.pathname !== '/account') throw redirect({ to: '/account', replace: true })
  },
})

const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/applications', replace: true })
  },
})

const applicationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/applications',
  loader: ({ context }) => context.queryClient.ensureQueryData(applicationsQuery),
  component: ApplicationsPage,
})

const applicationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/applications/$applicationId',
  params: readPathId('applicationId'),
  loader: ({ context, params: { applicationId }, preload }) =>
    loadFromAnyWorkspace({
      preload,
      load: () => context.queryClient.ensureQueryData(applicationQuery(applicationId)),
      ask: (client) => client.applications.get(applicationId),
    }),
  component: ApplicationLayout,
})

const buildsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: '/',
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

const symbolsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'symbols',
  loader: async ({ context, params, parentMatchPromise }) => {
    await parentMatchPromise
    await context.queryClient.ensureQueryData(symbolsFilesQuery(params.applicationId))
  },
  component: lazyRouteComponent(() => import('./symbols/SymbolsPage.tsx'), 'SymbolsPage'),
})

const crashRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'crash',
  component: lazyRouteComponent(() => import('./symbols/CrashPage.tsx'), 'CrashPage'),
})

const crashGroupsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'crashes',
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput): CrashGroupsSearch =>
    readCrashGroupsSearch(search),
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) =>
    context.queryClient.ensureQueryData(crashGroupsQuery(params.applicationId, deps)),
  component: lazyRouteComponent(() => import('./crashes/CrashGroupsPage.tsx'), 'CrashGroupsPage'),
})

const crashGroupRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'crashes/$crashGroupId',
  params: readPathId('crashGroupId'),
  loader: ({ context, params }) => context.queryClient.ensureQueryData(crashGroupQuery(params.crashGroupId)),
  component: lazyRouteComponent(() => import('./crashes/CrashGroupPage.tsx'), 'CrashGroupPage'),
})

const crashReportRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'crash-reports/$crashId',
  params: readPathId('crashId'),
  loader: ({ context, params }) => context.queryClient.ensureQueryData(crashQuery(params.crashId)),
  component: lazyRouteComponent(() => import('./crashes/CrashReportPage.tsx'), 'CrashReportPage'),
})

const stabilityRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'stability',
  loader: ({ context, params }) => context.queryClient.ensureQueryData(stabilityQuery(params.applicationId)),
  component: lazyRouteComponent(() => import('./crashes/StabilityPage.tsx'), 'StabilityPage'),
})

const crashRulesRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'crash-rules',
  loader: ({ context, params }) => context.queryClient.ensureQueryData(crashRulesQuery(params.applicationId)),
  component: lazyRouteComponent(() => import('./crashes/CrashRulesPage.tsx'), 'CrashRulesPage'),
})

const crashSetUpRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'crash-set-up',
  loader: ({ context, params }) => context.queryClient.ensureQueryData(missingSymbolsQuery(params.applicationId)),
  component: lazyRouteComponent(() => import('./crashes/CrashSetUpPage.tsx'), 'CrashSetUpPage'),
})

// The pages of tests load their data themselves, so that their queries are not part of the first script.
const testRunsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'tests',
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput): RunsSearch => readRunsSearch(search),
  component: lazyRouteComponent(() => import('./tests/TestRunsPage.tsx'), 'TestRunsPage'),
})

const testRunRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'tests/runs/$testRunId',
  params: readPathId('testRunId'),
  component: lazyRouteComponent(() => import('./tests/TestRunPage.tsx'), 'TestRunPage'),
})

const comparisonRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'tests/runs/$testRunId/comparison',
  params: readPathId('testRunId'),
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput): { to?: number | undefined } => ({
    to: readId(search['to']),
  }),
  component: lazyRouteComponent(() => import('./tests/ComparisonPage.tsx'), 'ComparisonPage'),
})

const testsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'tests/all',
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput): TestsSearch => readTestsSearch(search),
  component: lazyRouteComponent(() => import('./tests/TestsPage.tsx'), 'TestsPage'),
})

const testRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'tests/$testId',
  params: readPathId('testId'),
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput): { failure?: number | undefined } => ({
    failure: readId(search['failure']),
  }),
  component: lazyRouteComponent(() => import('./tests/TestPage.tsx'), 'TestPage'),
})

const uploadByScriptRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'ci',
  component: lazyRouteComponent(() => import('./applications/UploadByScriptPage.tsx'), 'UploadByScriptPage'),
})

const applicationSettingsRoute = createRoute({
  getParentRoute: () => applicationRoute,
  path: 'settings',
  component: lazyRouteComponent(() => import('./applications/ApplicationSettingsPage.tsx'), 'ApplicationSettingsPage'),
})

const buildRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/builds/$buildId',
  params: readPathId('buildId'),
  loader: ({ context, params: { buildId }, preload }) =>
    loadFromAnyWorkspace({
      preload,
      load: () => context.queryClient.ensureQueryData(buildQuery(buildId)),
      ask: (client) => client.builds.get(buildId),
    }),
  component: BuildPage,
})

const groupsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/groups',
  loader: ({ context }) => context.queryClient.ensureQueryData(groupsQuery),
  component: lazyRouteComponent(() => import('./groups/GroupsPage.tsx'), 'GroupsPage'),
})

const groupRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/groups/$groupId',
  params: readPathId('groupId'),
  loader: ({ context, params: { groupId }, preload }) =>
    loadFromAnyWorkspace({
      preload,
      load: () =>
        Promise.all([
          context.queryClient.ensureQueryData(groupQuery(groupId)),
          context.queryClient.ensureQueryData(groupTestersQuery(groupId)),
        ]),
      ask: (client) => client.groups.get(groupId),
    }),
  component: lazyRouteComponent(() => import('./groups/GroupPage.tsx'), 'GroupPage'),
})

const testersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/testers',
  loader: ({ context }) => context.queryClient.ensureQueryData(testersQuery),
  component: lazyRouteComponent(() => import('./groups/TestersPage.tsx'), 'TestersPage'),
})

const tokensRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tokens',
  loader: ({ context }) => context.queryClient.ensureQueryData(apiTokensQuery),
  component: lazyRouteComponent(() => import('./tokens/TokensPage.tsx'), 'TokensPage'),
})

const membersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/members',
  loader: ({ context }) =>
    Promise.all([
      context.queryClient.ensureQueryData(membersQuery),
      context.queryClient.ensureQueryData(invitationsQuery),
    ]),
  component: lazyRouteComponent(() => import('./members/MembersPage.tsx'), 'MembersPage'),
})

const workspaceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/workspace',
  loader: ({ context }) => context.queryClient.ensureQueryData(workspaceQuery),
  component: lazyRouteComponent(() => import('./workspace/WorkspacePage.tsx'), 'WorkspacePage'),
})

const outboxRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/outbox',
  loader: ({ context }) => context.queryClient.ensureInfiniteQueryData(mailsQuery),
  component: lazyRouteComponent(() => import('./outbox/OutboxPage.tsx'), 'OutboxPage'),
})

const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit',
  component: lazyRouteComponent(() => import('./audit/AuditPage.tsx'), 'AuditPage'),
})

const serverRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/server',
  loader: ({ context }) =>
    Promise.all([
      context.queryClient.ensureQueryData(serverWorkspacesQuery),
      context.queryClient.ensureQueryData(serverAccountsQuery),
    ]),
  component: lazyRouteComponent(() => import('./server/ServerPage.tsx'), 'ServerPage'),
})

const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('./account/AccountPage.tsx'), 'AccountPage'),
})

const unknownRoute = createRoute({ getParentRoute: () => shellRoute, path: '$', component: NotFoundPage })

function NotFoundPage() {
  return <NotFound />
}

export const routeTree = rootRoute.addChildren([
  setUpRoute,
  signInRoute,
  forgotPasswordRoute,
  resetPasswordRoute,
  invitationRoute,
  shellRoute.addChildren([
    homeRoute,
    applicationsRoute,
    applicationRoute.addChildren([
      buildsRoute,
      symbolsRoute,
      crashRoute,
      crashGroupsRoute,
      crashGroupRoute,
      crashReportRoute,
      stabilityRoute,
      crashRulesRoute,
      crashSetUpRoute,
      testRunsRoute,
      testRunRoute,
      comparisonRoute,
      testsRoute,
      testRoute,
      uploadByScriptRoute,
      applicationSettingsRoute,
    ]),
    buildRoute,
    groupsRoute,
    groupRoute,
    testersRoute,
    tokensRoute,
    membersRoute,
    workspaceRoute,
    outboxRoute,
    auditRoute,
    serverRoute,
    accountRoute,
    unknownRoute,
  ]),
])
