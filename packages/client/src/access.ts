import type {
  AcceptInvitation,
  Account,
  InvitationPreview,
  RedeemPasswordReset,
  Session,
  SetUp,
  SetUpDone,
  SignIn,
  UpdateAccount,
} from '@fairlead/contract'
import type { Connection } from './connection.ts'

/** Getting in and out: accounts and their sessions. */
export function accessOf({ request, send }: Connection) {
  return {
    setUp: (body: SetUp) => request<SetUpDone>('POST', '/v1/setup', { body }),
    signIn: (body: SignIn) => request<Session>('POST', '/v1/session', { body }),
    getSession: () => request<Session>('GET', '/v1/session'),
    signOut: () => send('DELETE', '/v1/session'),
    signOutEverywhere: () => send('DELETE', '/v1/sessions'),
    updateAccount: (body: UpdateAccount) => request<Account>('PATCH', '/v1/account', { body }),
    requestPasswordReset: (email: string) => send('POST', '/v1/passwordResets', { body: { email } }),
    redeemPasswordReset: (body: RedeemPasswordReset) => send('POST', '/v1/passwordResets/redeem', { body }),
    previewInvitation: (token: string) =>
      request<InvitationPreview>('GET', '/v1/invitations/preview', { query: { token } }),
    acceptInvitation: (body: AcceptInvitation) => request<Session>('POST', '/v1/invitations/accept', { body }),
  }
}
