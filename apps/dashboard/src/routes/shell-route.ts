import { createRoute, redirect } from '@tanstack/react-router'
import { chooseWorkspace } from '../early/client.ts'
import { sessionQuery } from '../api/session.ts'
import { Shell } from '../shell/Shell.tsx'
import { rootRoute } from './root-route.ts'

/** The frame of every page that needs an account. */
export const shellRoute = createRoute({
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
