import type { CreateWorkspace, UpdateWorkspace, Workspace } from '@fairlead/contract'
import type { Connection } from './connection.ts'

export function workspaceOf({ request }: Connection) {
  return {
    get: () => request<Workspace>('GET', '/v1/workspace'),
    update: (body: UpdateWorkspace) => request<Workspace>('PATCH', '/v1/workspace', { body }),
    /** Another one, whose administrator is the account that makes it. */
    create: (body: CreateWorkspace) => request<Workspace>('POST', '/v1/workspaces', { body }),
  }
}
