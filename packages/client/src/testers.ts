import type { Tester } from '@fairlead/contract'
import type { CallOptions, Connection } from './connection.ts'

/** The testers of the workspace, whether they are in a distribution group or not. */
export function testersOf({ request, send }: Connection) {
  return {
    list: (options?: CallOptions) => request<Tester[]>('GET', '/v1/testers', options),
    /** Ends the old address of the page, and the personal install links of older mails. */
    renewLink: (id: number, options?: CallOptions) => request<Tester>('POST', `/v1/testers/${id}/renewLink`, options),
    remove: (id: number, options?: CallOptions) => send('DELETE', `/v1/testers/${id}`, options),
  }
}
