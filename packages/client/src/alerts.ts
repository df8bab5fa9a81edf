import type { AlertRecord, AlertRule, CreateAlertRule, UpdateAlertRule } from '@fairlead/contract'
import type { CallOptions, Connection } from './connection.ts'
import { type Paging, requestPage } from './page.ts'

export type AlertsQuery = Paging & { alertRuleId?: number | undefined }

/** Rules that tell people and hooks when something is wrong, and what they told of. */
export function alertsOf(connection: Connection) {
  const { request, send } = connection
  return {
    listRules: (applicationId: number, options?: CallOptions) =>
      request<AlertRule[]>('GET', `/v1/applications/${applicationId}/alertRules`, options),
    createRule: (applicationId: number, body: CreateAlertRule, options?: CallOptions) =>
      request<AlertRule>('POST', `/v1/applications/${applicationId}/alertRules`, { body, ...options }),
    getRule: (id: number, options?: CallOptions) => request<AlertRule>('GET', `/v1/alertRules/${id}`, options),
    updateRule: (id: number, body: UpdateAlertRule, options?: CallOptions) =>
      request<AlertRule>('PATCH', `/v1/alertRules/${id}`, { body, ...options }),
    deleteRule: (id: number, options?: CallOptions) => send('DELETE', `/v1/alertRules/${id}`, options),
    listFired: (applicationId: number, query: AlertsQuery, options?: CallOptions) =>
      requestPage<AlertRecord>(connection, `/v1/applications/${applicationId}/alerts`, query, options),
  }
}
