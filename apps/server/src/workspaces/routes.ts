import { CreateWorkspace, UpdateWorkspace, Workspace } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { createWorkspaceOf } from './create.ts'
import { requireMayCreate } from './may-create.ts'
import { readWorkspace } from './find.ts'
import { updateWorkspace } from './update.ts'
import { transact } from '../db/transact.ts'

const tags = ['Workspaces']

/** Adds the route for creating a workspace; who may call it is a setting of the server. */
export function addNewWorkspaceRoute(app: App, context: AppContext): void {
  app.post(
    '/v1/workspaces',
    {
      config: { action: 'workspace.create' },
      schema: {
        tags,
        security: [{ session: [] }],
        summary: 'Create another workspace and become its administrator',
        operationId: 'createWorkspace',
        body: CreateWorkspace,
        response: { 201: Workspace },
      },
    },
    async (request, reply) => {
      const { account } = request.signedIn
      await requireMayCreate(context, account)
      const id = await transact(context.db, (trx) => createWorkspaceOf(trx, account.id, request.body.name))
      request.auditedWorkspaceId = id
      return reply.code(201).send(await readWorkspace(context.db, id))
    },
  )
}

export function addWorkspaceRoutes(app: App, context: AppContext): void {
  app.get(
    '/v1/workspace',
    { config: { role: 'viewer' }, schema: { tags, summary: 'Get the workspace', response: { 200: Workspace } } },
    (request) => readWorkspace(context.db, request.caller.workspaceId),
  )

  app.patch(
    '/v1/workspace',
    {
      config: { role: 'admin', action: 'workspace.update' },
      schema: {
        tags,
        summary: 'Change the settings of the workspace',
        operationId: 'updateWorkspace',
        errors: ['unknownProvider'],
        body: UpdateWorkspace,
        response: { 200: Workspace },
      },
    },
    (request) => updateWorkspace(context, request.caller.workspaceId, request.body, request.caller.accountId),
  )
}
