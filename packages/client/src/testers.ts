import type { Tester } from '@fairlead/contract'
import type { Connection } from './connection.ts'

/** The testers of the workspace, in whichever groups. */
export function testersOf({ request, send }: Connection) {
  return {
    list: () => request<Tester[]>('GET', '/v1/testers'),
    remove: (id: number) => send('DELETE', `/v1/testers/${id}`),
  }
}
