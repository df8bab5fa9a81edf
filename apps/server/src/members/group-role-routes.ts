import { ApiError, GroupRole, GroupRoles } from '@fairlead/contract'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { App } from '../http/app.ts'
import { listGroupRoleRows, replaceGroupRoleRows } from './group-role-store.ts'
import { lockMembers } from './store.ts'

const tags = ['Members']

/** Adds the routes for the roles that groups of providers have in a workspace. */
export function addGroupRoleRoutes(app: App, context: AppContext): void {
  app.get(
    '/v1/groupRoles',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        summary: 'List the roles of groups of providers',
        operationId: 'listGroupRoles',
        response: { 200: z.array(GroupRole) },
      },
    },
    (request) => listGroupRoleRows(context.db, request.caller.workspaceId),
  )

  app.put(
    '/v1/groupRoles',
    {
      config: { role: 'admin', action: 'groupRoles.replace' },
      schema: {
        tags,
        summary: 'Replace the roles of groups of providers; they count from the next sign-in of a person on',
        operationId: 'replaceGroupRoles',
        errors: ['unknownProvider'],
        body: GroupRoles,
        response: { 200: z.array(GroupRole) },
      },
    },
    (request) => replaceGroupRoles(context, request.caller.workspaceId, request.body),
  )
}

/** @throws {ApiError} unknownProvider */
async function replaceGroupRoles(
  { db, providers }: Pick<AppContext, 'db' | 'providers'>,
  workspaceId: number,
  list: GroupRoles,
): Promise<GroupRole[]> {
  return transact(db, async (trx) => {
    await lockMembers(trx, workspaceId)
    // Rows of a provider that the server has no more may stay, so that the rest of the list can be changed.
    const kept = new Set((await listGroupRoleRows(trx, workspaceId)).map(({ provider }) => provider))
    const faults = list.flatMap(({ provider }, place) =>
      providers.has(provider) || kept.has(provider)
        ? []
        : [{ source: `/${place}/provider`, detail: 'is no provider of this server' }],
    )
    if (faults.length > 0) throw new ApiError('unknownProvider', { faults })
    await replaceGroupRoleRows(trx, workspaceId, list)
    return listGroupRoleRows(trx, workspaceId)
  })
}
