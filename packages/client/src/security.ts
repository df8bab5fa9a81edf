import type {
  AuditEvent,
  Identity,
  InstallLink,
  ListAuditEvents,
  OpenSession,
  ProveIdentity,
  RecoveryCodes,
  ServerAccount,
  ServerApiToken,
  ServerProvider,
  ServerWorkspace,
  StartedLink,
  StartLink,
  StartTwoFactor,
  TwoFactor,
  TwoFactorSecret,
  UpdateInstallLink,
  UpdateServerAccount,
} from '@fairlead/contract'
import type { CallOptions, Connection } from './connection.ts'
import { type Paging, requestPage } from './page.ts'

type Filter = Omit<ListAuditEvents, 'limit' | 'cursor'>

/** Sessions, two-factor sign-in, install links, the audit log, and the lists for administrators of the server. */
export function securityOf(connection: Connection) {
  const { request, send, open } = connection
  return {
    listSessions: (options?: CallOptions) => request<OpenSession[]>('GET', '/v1/sessions', options),
    endSession: (id: number, options?: CallOptions) => send('DELETE', `/v1/sessions/${id}`, options),
    listIdentities: (options?: CallOptions) => request<Identity[]>('GET', '/v1/account/identities', options),
    /** Returns the page of the provider that the browser has to go to. */
    startLink: (body: StartLink, options?: CallOptions) =>
      request<StartedLink>('POST', '/v1/account/identities', { body, ...options }),
    unlinkIdentity: (id: number, options?: CallOptions) => send('DELETE', `/v1/account/identities/${id}`, options),
    getTwoFactor: (options?: CallOptions) => request<TwoFactor>('GET', '/v1/twoFactor', options),
    startTwoFactor: (body: StartTwoFactor, options?: CallOptions) =>
      request<TwoFactorSecret>('POST', '/v1/twoFactor', { body, ...options }),
    confirmTwoFactor: (code: string, options?: CallOptions) =>
      request<RecoveryCodes>('POST', '/v1/twoFactor/confirm', { body: { code }, ...options }),
    renewRecoveryCodes: (body: ProveIdentity, options?: CallOptions) =>
      request<RecoveryCodes>('POST', '/v1/twoFactor/recoveryCodes', { body, ...options }),
    disableTwoFactor: (body: ProveIdentity, options?: CallOptions) =>
      send('DELETE', '/v1/twoFactor', { body, ...options }),
    getInstallLink: (buildId: number, options?: CallOptions) =>
      request<InstallLink>('GET', `/v1/builds/${buildId}/installLink`, options),
    updateInstallLink: (buildId: number, body: UpdateInstallLink, options?: CallOptions) =>
      request<InstallLink>('PATCH', `/v1/builds/${buildId}/installLink`, { body, ...options }),
    listAuditEvents: (filter: Filter = {}, options?: CallOptions) =>
      request<AuditEvent[]>('GET', '/v1/auditEvents', { query: filter, ...options }),
    listAuditEventsPage: (query: Filter & Paging, options?: CallOptions) =>
      requestPage<AuditEvent>(connection, '/v1/auditEvents', query, options),
    /** The audit log as JSON lines. */
    exportAuditEvents: async (filter: Filter = {}, options?: CallOptions): Promise<Blob> => {
      const answer = await open('GET', '/v1/auditEvents/export', { query: filter, ...options, isDownload: true })
      return new Blob([await answer.text()], { type: answer.headers.get('Content-Type') ?? '' })
    },
    listServerAccounts: (options?: CallOptions) => request<ServerAccount[]>('GET', '/v1/server/accounts', options),
    updateServerAccount: (id: number, body: UpdateServerAccount, options?: CallOptions) =>
      request<ServerAccount>('PATCH', `/v1/server/accounts/${id}`, { body, ...options }),
    listTokensOfAccount: (id: number, options?: CallOptions) =>
      request<ServerApiToken[]>('GET', `/v1/server/accounts/${id}/apiTokens`, options),
    listServerProviders: (options?: CallOptions) => request<ServerProvider[]>('GET', '/v1/server/providers', options),
    listServerWorkspaces: (options?: CallOptions) =>
      request<ServerWorkspace[]>('GET', '/v1/server/workspaces', options),
  }
}
