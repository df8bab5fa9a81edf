import { createRoute } from '@tanstack/react-router'
import { loadFromAnyWorkspace } from '../workspace/load-from-any-workspace.ts'
import { ApplicationLayout } from '../applications/ApplicationLayout.tsx'
import { applicationQuery } from '../applications/queries.ts'
import { readPathId } from '../ui/path-id.ts'
import { shellRoute } from './shell-route.ts'

export const applicationRoute = createRoute({
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
