/** The pages by which administrators run a workspace and the server, and the page of one's own account. */
import { createRoute } from '@tanstack/react-router'
import { applicationsQuery } from '../applications/queries.ts'
import { baseUrlQuery } from '../getting-started/queries.ts'
import { invitationsQuery, membersQuery } from '../members/queries.ts'
import { hookDeliveriesQuery, hookQuery, hooksQuery } from '../hooks/queries.ts'
import { deliveryQuery, mailsQuery } from '../outbox/queries.ts'
import { serverAccountsQuery, serverWorkspacesQuery } from '../server/queries.ts'
import { apiTokensQuery } from '../tokens/queries.ts'
import { readPathId } from '../ui/path-id.ts'
import { loadFromAnyWorkspace } from '../workspace/load-from-any-workspace.ts'
import { workspaceQuery } from '../workspace/queries.ts'
import { shellRoute } from './shell-route.ts'
import { lazyRouteComponent } from '../ui/load-script.ts'

const gettingStartedRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/start',
  loader: async ({ context: { queryClient } }) => {
    // Only administrators may read the others, and only their page shows them.
    await Promise.all([
      queryClient.ensureQueryData(applicationsQuery),
      queryClient.prefetchQuery(baseUrlQuery),
      queryClient.prefetchQuery(apiTokensQuery),
      queryClient.prefetchQuery(deliveryQuery),
    ])
  },
  component: lazyRouteComponent(() => import('../getting-started/GettingStartedPage.tsx'), 'GettingStartedPage'),
})

const tokensRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tokens',
  loader: ({ context }) => context.queryClient.ensureQueryData(apiTokensQuery),
  component: lazyRouteComponent(() => import('../tokens/TokensPage.tsx'), 'TokensPage'),
})

const membersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/members',
  loader: ({ context }) =>
    Promise.all([
      context.queryClient.ensureQueryData(membersQuery),
      context.queryClient.ensureQueryData(invitationsQuery),
    ]),
  component: lazyRouteComponent(() => import('../members/MembersPage.tsx'), 'MembersPage'),
})

const agentsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/agents',
  loader: ({ context }) => context.queryClient.ensureQueryData(workspaceQuery),
  component: lazyRouteComponent(() => import('../agents/AgentsPage.tsx'), 'AgentsPage'),
})

const workspaceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/workspace',
  loader: ({ context }) => context.queryClient.ensureQueryData(workspaceQuery),
  component: lazyRouteComponent(() => import('../workspace/WorkspacePage.tsx'), 'WorkspacePage'),
})

const outboxRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/outbox',
  // The note about held mails stands above the list, which would move when it came later.
  loader: ({ context }) =>
    Promise.all([
      context.queryClient.ensureInfiniteQueryData(mailsQuery),
      context.queryClient.prefetchQuery(deliveryQuery),
    ]),
  component: lazyRouteComponent(() => import('../outbox/OutboxPage.tsx'), 'OutboxPage'),
})

const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit',
  component: lazyRouteComponent(() => import('../audit/AuditPage.tsx'), 'AuditPage'),
})

const serverRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/server',
  loader: ({ context }) =>
    Promise.all([
      context.queryClient.ensureQueryData(serverWorkspacesQuery),
      context.queryClient.ensureQueryData(serverAccountsQuery),
    ]),
  component: lazyRouteComponent(() => import('../server/ServerPage.tsx'), 'ServerPage'),
})

const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('../account/AccountPage.tsx'), 'AccountPage'),
})

const loginRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/login',
  validateSearch: (search: Record<string, unknown>) => ({
    code: typeof search['code'] === 'string' ? search['code'].slice(0, 40) : '',
  }),
  component: lazyRouteComponent(() => import('../logins/LoginPage.tsx'), 'LoginPage'),
})

const hooksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/hooks',
  loader: ({ context }) => context.queryClient.ensureQueryData(hooksQuery),
  component: lazyRouteComponent(() => import('../hooks/HooksPage.tsx'), 'HooksPage'),
})

const hookRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/hooks/$hookId',
  params: readPathId('hookId'),
  loader: ({ context, params: { hookId }, preload }) =>
    loadFromAnyWorkspace({
      preload,
      load: () =>
        Promise.all([
          context.queryClient.ensureQueryData(hookQuery(hookId)),
          context.queryClient.ensureInfiniteQueryData(hookDeliveriesQuery(hookId)),
        ]),
      ask: (client) => client.hooks.get(hookId),
    }),
  component: lazyRouteComponent(() => import('../hooks/HookPage.tsx'), 'HookPage'),
})

export const workspaceRoutes = [
  gettingStartedRoute,
  tokensRoute,
  membersRoute,
  agentsRoute,
  workspaceRoute,
  hooksRoute,
  hookRoute,
  outboxRoute,
  auditRoute,
  serverRoute,
  accountRoute,
  loginRoute,
] as const
