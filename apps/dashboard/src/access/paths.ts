/** The paths that links in the server's mails and its set-up link point to. */
export const accountPaths = {
  setUp: '/setup',
  signIn: '/sign-in',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset',
  invitation: '/invitation',
} as const
