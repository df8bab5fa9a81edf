/** The paths in the links of mails and of the first start. */
export const accountPaths = {
  setUp: '/setup',
  signIn: '/sign-in',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset',
  invitation: '/invitation',
} as const
