/** All URLs of the dashboard. Each area of it has its routes in a file of `routes/`. */
import { createRoute, redirect } from '@tanstack/react-router'
import { loadFromAnyWorkspace } from './workspace/load-from-any-workspace.ts'
import { ApplicationsPage } from './applications/ApplicationsPage.tsx'
import { applicationsQuery } from './applications/queries.ts'
import { BuildPage } from './builds/BuildPage.tsx'
import { buildQuery } from './builds/queries.ts'
import { NotFound } from './ui/NotFound.tsx'
import { readPathId } from './ui/path-id.ts'
import { accessRoutes } from './routes/access-routes.ts'
import { applicationRoute } from './routes/application-route.ts'
import { applicationRoutes } from './routes/application-routes.ts'
import { crashRoutes } from './routes/crash-routes.ts'
import { groupRoutes } from './routes/group-routes.ts'
import { rootRoute } from './routes/root-route.ts'
import { shellRoute } from './routes/shell-route.ts'
import { testRoutes } from './routes/test-routes.ts'
import { workspaceRoutes } from './routes/workspace-routes.ts'

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

const unknownRoute = createRoute({ getParentRoute: () => shellRoute, path: '$', component: NotFoundPage })

function NotFoundPage() {
  return <NotFound />
}

export const routeTree = rootRoute.addChildren([
  ...accessRoutes,
  shellRoute.addChildren([
    homeRoute,
    applicationsRoute,
    applicationRoute.addChildren([...applicationRoutes, ...crashRoutes, ...testRoutes]),
    buildRoute,
    ...groupRoutes,
    ...workspaceRoutes,
    unknownRoute,
  ]),
])
