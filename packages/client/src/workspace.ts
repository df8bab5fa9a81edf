import type { CreateWorkspace, UpdateWorkspace, Workspace } from '@fairlead/contract'
import type { CallOptions, Connection } from './connection.ts'

export function workspaceOf({ request }: Connection) {
  return {
    get: (options?: CallOptions) => request<Workspace>('GET', '/v1/workspace', options),
    update: (body: UpdateWorkspace, options?: CallOptions) =>
      request<Workspace>('PATCH', '/v1/workspace', { body, ...options }),
    /** Creates another workspace. The signed-in account becomes its administrator. */
    create: (body: CreateWorkspace, options?: CallOptions) =>
      request<Workspace>('POST', '/v1/workspaces', { body, ...options }),
  }
}
