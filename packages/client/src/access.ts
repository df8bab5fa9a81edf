import type {
  AcceptInvitation,
  Account,
  InvitationPreview,
  RedeemPasswordReset,
  Session,
  SetUp,
  SetUpDone,
  SetUpState,
  SignIn,
  UpdateAccount,
} from '@fairlead/contract'
import type { CallOptions, Connection } from './connection.ts'

/** Accounts and their sessions. */
export function accessOf({ request, send }: Connection) {
  return {
    getSetUp: (options?: CallOptions) => request<SetUpState>('GET', '/v1/setup', options),
    setUp: (body: SetUp, options?: CallOptions) => request<SetUpDone>('POST', '/v1/setup', { body, ...options }),
    signIn: (body: SignIn, options?: CallOptions) => request<Session>('POST', '/v1/session', { body, ...options }),
    getSession: (options?: CallOptions) => request<Session>('GET', '/v1/session', options),
    signOut: (options?: CallOptions) => send('DELETE', '/v1/session', options),
    signOutEverywhere: (options?: CallOptions) => send('DELETE', '/v1/sessions', options),
    updateAccount: (body: UpdateAccount, options?: CallOptions) =>
      request<Account>('PATCH', '/v1/account', { body, ...options }),
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
