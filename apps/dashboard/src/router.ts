import { createRouter } from '@tanstack/react-router'
import { createElement } from 'react'
import { queryClient } from './api/client.ts'
import { routeTree } from './routes.tsx'
import { NotFound } from './ui/NotFound.tsx'
import { RouteError } from './ui/RouteError.tsx'
import { RoutePending } from './ui/RoutePending.tsx'

export const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: 'intent',
  // The query cache decides whether data is fresh.
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 200,
  defaultPendingMinMs: 300,
  defaultPendingComponent: RoutePending,
  defaultErrorComponent: RouteError,
  defaultNotFoundComponent: () => createElement(NotFound),
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
