/** Where the links of the server's mails and of its first start lead. */
export const accountPaths = {
  setUp: '/setup',
  signIn: '/sign-in',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset',
  invitation: '/invitation',
} as const
