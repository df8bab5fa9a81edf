/** The pages that need no account. */
import { createRoute, redirect, type SearchSchemaInput } from '@tanstack/react-router'
import { accountPaths } from '../access/paths.ts'
import { setUpQuery } from '../access/set-up-query.ts'
import { rootRoute } from './root-route.ts'
import { lazyRouteComponent } from '../ui/load-script.ts'

const readText = (value: unknown) => (typeof value === 'string' ? value : '')

const setUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: accountPaths.setUp,
  validateSearch: (search: Record<string, unknown>) => ({ code: readText(search['code']) }),
  component: lazyRouteComponent(() => import('../access/SetUpPage.tsx'), 'SetUpPage'),
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
  beforeLoad: async ({ context }) => {
    // The sign-in works without the answer, so a failure is none of its own.
    const state = await context.queryClient.ensureQueryData(setUpQuery).catch(() => null)
    if (state?.isDone === false) throw redirect({ to: '/setup', search: { code: '' }, replace: true })
  },
  component: lazyRouteComponent(() => import('../access/SignInPage.tsx'), 'SignInPage'),
})

const linkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: accountPaths.link,
  component: lazyRouteComponent(() => import('../access/LinkPage.tsx'), 'LinkPage'),
})

const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: accountPaths.forgotPassword,
  component: lazyRouteComponent(() => import('../access/ForgotPasswordPage.tsx'), 'ForgotPasswordPage'),
})

const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: accountPaths.resetPassword,
  validateSearch: (search: Record<string, unknown>) => ({ token: readText(search['token']) }),
  component: lazyRouteComponent(() => import('../access/ResetPasswordPage.tsx'), 'ResetPasswordPage'),
})

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: accountPaths.invitation,
  validateSearch: (search: Record<string, unknown>) => ({ token: readText(search['token']) }),
  component: lazyRouteComponent(() => import('../access/InvitationPage.tsx'), 'InvitationPage'),
})

export const accessRoutes = [
  setUpRoute,
  signInRoute,
  linkRoute,
  forgotPasswordRoute,
  resetPasswordRoute,
  invitationRoute,
] as const
