import {
  ApiError,
  Page,
  ServerAccount,
  ServerApiToken,
  ServerProvider,
  ServerWorkspace,
  UpdateServerAccount,
} from '@fairlead/contract'
import { z } from 'zod'
import { toApiToken } from '../api-tokens/api-token.ts'
import { listTokensOfAccount } from '../api-tokens/of-account.ts'
import { readUsedBytes } from '../blobs/quota.ts'
import { findAccount } from '../accounts/find.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { toInstant } from '../http/instant.ts'
import { toLoggedPath } from '../http/errors.ts'
import { cutPage, sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { listServerAccounts } from './account.ts'
import { listServerProviders } from './providers.ts'
import { listWorkspaceRecords } from './store.ts'
import { updateServerAccount } from './update-account.ts'

const tags = ['Server administration']
const security = [{ session: [] }]
const params = z.object({ accountId: PathId })
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
      const page = cutPage(await listServerAccounts(db), request.query, (account) => account.id)
      return sendPage(request, reply, config.baseUrl, page)
    },
  )

  app.patch(
    '/v1/server/accounts/:accountId',
    {
      config: { action: null },
      schema: {
        tags,
        security,
        summary: 'Disable an account, which ends its sessions, or enable it, and revoke the API tokens it made',
        operationId: 'updateServerAccount',
        errors: ['accountNotFound', 'ownAccount'],
        params,
        body: UpdateServerAccount,
        response: { 200: ServerAccount },
      },
    },
    async (request) => {
      const { accountId } = request.params
      const from = { address: request.ip, target: toLoggedPath(request.url) }
      await updateServerAccount(context, request.signedIn.account, { accountId, ...request.body }, from)
      const account = (await listServerAccounts(db)).find(({ id }) => id === accountId)
      if (!account) throw new ApiError('accountNotFound')
      return account
    },
  )

  app.get(
    '/v1/server/accounts/:accountId/apiTokens',
    {
      schema: {
        tags,
        security,
        summary: 'List the API tokens that a person made, in all workspaces',
        operationId: 'listTokensOfAccount',
        errors: ['accountNotFound'],
        params,
        querystring: Page,
        response: { 200: z.array(ServerApiToken) },
      },
    },
    async (request, reply) => {
      if (!(await findAccount(context, request.params.accountId))) throw new ApiError('accountNotFound')
      const rows = await listTokensOfAccount(db, request.params.accountId)
      const page = cutPage(rows, request.query, (row) => row.id)
      return sendPage(request, reply, config.baseUrl, page).map((row) => ({
        ...toApiToken(row),
        workspace: { id: row.workspace_id, name: row.workspace_name },
      }))
    },
  )

  app.get(
    '/v1/server/providers',
    {
      schema: {
        tags,
        security,
        summary: 'List the providers that people sign in through, and ask each whether it answers',
        operationId: 'listServerProviders',
        response: { 200: z.array(ServerProvider) },
      },
    },
    () => listServerProviders(context),
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
