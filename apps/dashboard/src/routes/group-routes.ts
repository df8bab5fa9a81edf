/** The pages of distribution groups and testers. */
import { createRoute, type SearchSchemaInput } from '@tanstack/react-router'
import { applicationsQuery } from '../applications/queries.ts'
import { devicesQuery, type DevicesSearch, readDevicesSearch } from '../devices/queries.ts'
import { loadFromAnyWorkspace } from '../workspace/load-from-any-workspace.ts'
import { groupQuery, groupsQuery, groupTestersQuery, testersQuery } from '../groups/queries.ts'
import { readPathId } from '../ui/path-id.ts'
import { shellRoute } from './shell-route.ts'
import { lazyRouteComponent } from '../ui/load-script.ts'

/** The search in a list of testers. The router parses numbers, which become text again. */
function readTesterSearch({ q }: Record<string, unknown> & SearchSchemaInput): { q?: string | undefined } {
  const text = typeof q === 'number' ? String(q) : q
  return { q: typeof text === 'string' && text !== '' ? text : undefined }
}

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
  validateSearch: readTesterSearch,
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
  validateSearch: readTesterSearch,
  loader: ({ context }) => context.queryClient.ensureQueryData(testersQuery),
  component: lazyRouteComponent(() => import('../groups/TestersPage.tsx'), 'TestersPage'),
})

const devicesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/devices',
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput): DevicesSearch => readDevicesSearch(search),
  loader: ({ context: { queryClient } }) =>
    Promise.all([
      queryClient.ensureQueryData(devicesQuery),
      queryClient.ensureQueryData(testersQuery),
      queryClient.ensureQueryData(groupsQuery),
      queryClient.ensureQueryData(applicationsQuery),
    ]),
  component: lazyRouteComponent(() => import('../devices/DevicesPage.tsx'), 'DevicesPage'),
})

export const groupRoutes = [groupsRoute, groupRoute, testersRoute, devicesRoute] as const
