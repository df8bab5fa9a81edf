import type {
  AcceptInvitation,
  Account,
  BaseUrlCheck,
  InvitationPreview,
  LinkAccount,
  PendingLink,
  RedeemPasswordReset,
  Session,
  SetUp,
  SetUpDone,
  SetUpState,
  SignIn,
  SignInOptions,
  UpdateAccount,
} from '@fairlead/contract'
import type { CallOptions, Connection } from './connection.ts'

/** Accounts and their sessions. */
export function accessOf({ request, send }: Connection) {
  return {
    getSetUp: (options?: CallOptions) => request<SetUpState>('GET', '/v1/setup', options),
    setUp: (body: SetUp, options?: CallOptions) => request<SetUpDone>('POST', '/v1/setup', { body, ...options }),
    signIn: (body: SignIn, options?: CallOptions) => request<Session>('POST', '/v1/session', { body, ...options }),
    getSignInOptions: (options?: CallOptions) => request<SignInOptions>('GET', '/v1/signInOptions', options),
    getPendingLink: (options?: CallOptions) => request<PendingLink>('GET', '/v1/session/link', options),
    linkAccount: (body: LinkAccount, options?: CallOptions) =>
      request<Session>('POST', '/v1/session/link', { body, ...options }),
    getSession: (options?: CallOptions) => request<Session>('GET', '/v1/session', options),
    signOut: (options?: CallOptions) => send('DELETE', '/v1/session', options),
    signOutEverywhere: (options?: CallOptions) => send('DELETE', '/v1/sessions', options),
    updateAccount: (body: UpdateAccount, options?: CallOptions) =>
      request<Account>('PATCH', '/v1/account', { body, ...options }),
    /** The address in links, and when a device reached the server by it. */
    getBaseUrl: (options?: CallOptions) => request<BaseUrlCheck>('GET', '/v1/baseUrl', options),
    requestPasswordReset: (email: string, options?: CallOptions) =>
      send('POST', '/v1/passwordResets', { body: { email }, ...options }),
    redeemPasswordReset: (body: RedeemPasswordReset, options?: CallOptions) =>
      send('POST', '/v1/passwordResets/redeem', { body, ...options }),
    previewInvitation: (token: string, options?: CallOptions) =>
      request<InvitationPreview>('GET', '/v1/invitations/preview', { query: { token }, ...options }),
    acceptInvitation: (body: AcceptInvitation, options?: CallOptions) =>
      request<Session>('POST', '/v1/invitations/accept', { body, ...options }),
  }
}
