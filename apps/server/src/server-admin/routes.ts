import { ApiError, Page, ServerAccount, ServerWorkspace } from '@fairlead/contract'
import { z } from 'zod'
import { readUsedBytes } from '../blobs/quota.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { toInstant, toInstantOrNull } from '../http/instant.ts'
import { cutPage, sendPage } from '../http/paging.ts'
import { type AccountRecord, listAccountRecords, listAllMemberships, listWorkspaceRecords } from './store.ts'

const tags = ['Server administration']
const security = [{ session: [] }]
const hour = 60 * 60 * 1000

/** Adds the routes for administrators of the server: signed-in accounts, whatever their workspaces. */
export function addServerAdminRoutes(app: App, context: AppContext): void {
  const { db, config } = context
  app.addHook('onRequest', async (request) => {
    if (request.signedIn.account.is_server_admin === 1) return
    throw new ApiError('forbidden', { detail: 'This needs an administrator of the server' })
  })

  app.get(
    '/v1/server/accounts',
    {
      schema: {
        tags,
        security,
        summary: 'List the accounts of the server',
        operationId: 'listServerAccounts',
        querystring: Page,
        response: { 200: z.array(ServerAccount) },
      },
    },
    async (request, reply) => {
      const workspacesOf = Map.groupBy(await listAllMemberships(db), (member) => member.account_id)
      const page = cutPage(await listAccountRecords(db), request.query, (record) => record.id)
      return sendPage(request, reply, config.baseUrl, page).map((record) => ({
        ...toServerAccount(record),
        workspaces: (workspacesOf.get(record.id) ?? []).map(({ workspace_id: id, name, role }) => ({ id, name, role })),
      }))
    },
  )

  app.get(
    '/v1/server/workspaces',
    {
      schema: {
        tags,
        security,
        summary: 'List the workspaces of the server with what they use',
        operationId: 'listServerWorkspaces',
        querystring: Page,
        response: { 200: z.array(ServerWorkspace) },
      },
    },
    async (request, reply) => {
      const records = await listWorkspaceRecords(db, Date.now() - hour)
      const page = cutPage(records, request.query, (record) => record.id)
      const workspaces: ServerWorkspace[] = []
      for (const record of sendPage(request, reply, config.baseUrl, page)) {
        workspaces.push({
          id: record.id,
          name: record.name,
          createdDate: toInstant(record.created_at),
          memberCount: record.member_count ?? 0,
          buildCount: record.build_count ?? 0,
          size: await readUsedBytes(db, record.id),
          mailsLastHour: record.mail_count ?? 0,
          quotas: config.quotas,
        })
      }
      return workspaces
    },
  )
}

function toServerAccount(record: AccountRecord): Omit<ServerAccount, 'workspaces'> {
  return {
    id: record.id,
    email: record.email,
    name: record.name,
    isServerAdmin: record.is_server_admin === 1,
    isVerified: record.verified_at !== null,
    hasTwoFactor: record.totp_enabled_at !== null,
    createdDate: toInstant(record.created_at),
    lastUsedDate: toInstantOrNull(record.last_used_at),
  }
}
