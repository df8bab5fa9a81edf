/** The pages of distribution groups and testers. */
import { createRoute } from '@tanstack/react-router'
import { loadFromAnyWorkspace } from '../workspace/load-from-any-workspace.ts'
import { groupQuery, groupsQuery, groupTestersQuery, testersQuery } from '../groups/queries.ts'
import { readPathId } from '../ui/path-id.ts'
import { shellRoute } from './shell-route.ts'
import { lazyRouteComponent } from '../ui/load-script.ts'

const groupsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/groups',
  loader: ({ context }) => context.queryClient.ensureQueryData(groupsQuery),
  component: lazyRouteComponent(() => import('../groups/GroupsPage.tsx'), 'GroupsPage'),
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
  component: lazyRouteComponent(() => import('../groups/GroupPage.tsx'), 'GroupPage'),
})

const testersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/testers',
  loader: ({ context }) => context.queryClient.ensureQueryData(testersQuery),
  component: lazyRouteComponent(() => import('../groups/TestersPage.tsx'), 'TestersPage'),
})

export const groupRoutes = [groupsRoute, groupRoute, testersRoute] as const
