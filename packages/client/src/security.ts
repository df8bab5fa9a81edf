import type {
  AuditEvent,
  InstallLink,
  ListAuditEvents,
  OpenSession,
  ProveIdentity,
  RecoveryCodes,
  ServerAccount,
  ServerWorkspace,
  StartTwoFactor,
  TwoFactor,
  TwoFactorSecret,
  UpdateInstallLink,
} from '@fairlead/contract'
import type { Connection } from './connection.ts'
import { type Paging, requestPage } from './page.ts'
import { toRequestError } from './request-error.ts'

type Filter = Omit<ListAuditEvents, 'limit' | 'cursor'>

/** Sessions, two-factor sign-in, install links, the audit log, and what administrators of the server see. */
export function securityOf(connection: Connection) {
  const { request, send, toUrl, headers } = connection
  return {
    listSessions: () => request<OpenSession[]>('GET', '/v1/sessions'),
    endSession: (id: number) => send('DELETE', `/v1/sessions/${id}`),
    getTwoFactor: () => request<TwoFactor>('GET', '/v1/twoFactor'),
    startTwoFactor: (body: StartTwoFactor) => request<TwoFactorSecret>('POST', '/v1/twoFactor', { body }),
    confirmTwoFactor: (code: string) => request<RecoveryCodes>('POST', '/v1/twoFactor/confirm', { body: { code } }),
    renewRecoveryCodes: (body: ProveIdentity) =>
      request<RecoveryCodes>('POST', '/v1/twoFactor/recoveryCodes', { body }),
    disableTwoFactor: (body: ProveIdentity) => send('DELETE', '/v1/twoFactor', { body }),
    getInstallLink: (buildId: number) => request<InstallLink>('GET', `/v1/builds/${buildId}/installLink`),
    updateInstallLink: (buildId: number, body: UpdateInstallLink) =>
      request<InstallLink>('PATCH', `/v1/builds/${buildId}/installLink`, { body }),
    listAuditEvents: (filter: Filter = {}) => request<AuditEvent[]>('GET', '/v1/auditEvents', { query: filter }),
    listAuditEventsPage: (query: Filter & Paging) => requestPage<AuditEvent>(connection, '/v1/auditEvents', query),
    /** The audit log as JSON lines. */
    exportAuditEvents: async (filter: Filter = {}): Promise<Blob> => {
      const response = await fetch(toUrl('/v1/auditEvents/export', filter), { headers: headers() })
      if (!response.ok) throw toRequestError(response.status, await response.text())
      return response.blob()
    },
    listServerAccounts: () => request<ServerAccount[]>('GET', '/v1/server/accounts'),
    listServerWorkspaces: () => request<ServerWorkspace[]>('GET', '/v1/server/workspaces'),
  }
}
