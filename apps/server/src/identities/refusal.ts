/** Why somebody who comes from a provider gets no session. */
export type Reason =
  | 'state'
  | 'provider'
  | 'emailUnverified'
  | 'domain'
  | 'noAccess'
  | 'noGroups'
  | 'disabled'
  | 'unavailable'

/** The refusal of a sign-in, which is shown as a page. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly reason: Reason

  /** @param detail is shown below the words of the reason; it may come from the provider */
  constructor(reason: Reason, detail = '') {
    super(detail)
    this.reason = reason
  }
}

interface Words {
  status: 400 | 403 | 503
  title: string
  text: (providerName: string) => string
}

export const refusals: Readonly<Record<Reason, Words>> = {
  state: {
    status: 400,
    title: 'This sign-in cannot be finished',
    text: () => 'It was begun in another browser, took longer than ten minutes, or was finished before. Sign in again.',
  },
  provider: {
    status: 400,
    title: 'The sign-in failed',
    text: (name) => `${name} refused the sign-in, or its answer could not be trusted. Nobody was signed in.`,
  },
  emailUnverified: {
    status: 403,
    title: 'Your e-mail address is not verified',
    text: (name) => `${name} does not say that your e-mail address is yours. Verify it there, then sign in again.`,
  },
  domain: {
    status: 403,
    title: 'Your e-mail address has no account here',
    text: (name) => `People of your domain get no account by signing in through ${name}. Ask who runs this server.`,
  },
  noAccess: {
    status: 403,
    title: 'You have no access yet',
    text: (name) =>
      `None of your groups at ${name} has a role in a workspace here, and no invitation waits for your address. ` +
      'Ask an administrator of your workspace.',
  },
  noGroups: {
    status: 403,
    title: 'Your groups are not known',
    text: (name) =>
      `${name} did not say which groups you are in, perhaps because they are too many. ` +
      'Ask its administrators to send only the groups that are assigned to this application.',
  },
  disabled: {
    status: 403,
    title: 'Your account is disabled',
    text: () => 'An administrator of this server disabled it.',
  },
  unavailable: {
    status: 503,
    title: 'The provider does not answer',
    text: (name) => `${name} cannot be reached from this server right now. Try again in a while.`,
  },
}
