/** The paths of pages that links in mails, and the set-up link of the first start, lead to. */
export const accountPaths = {
  setUp: '/setup',
  signIn: '/sign-in',
  link: '/sign-in/link',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset',
  invitation: '/invitation',
} as const
