import { ApiError, Identity, Page, StartedLink, StartLink } from '@fairlead/contract'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { cutPage, sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { ProviderError } from '../oidc/provider-error.ts'
import { beginAttempt } from './begin.ts'
import { toIdentity } from './identity.ts'
import { listIdentityRows } from './store.ts'
import { unlinkIdentity } from './unlink.ts'

const tags = ['Accounts']
const security = [{ session: [] }]

/** Adds the routes for the providers that the signed-in account is linked to. */
export function addIdentityRoutes(app: App, context: AppContext): void {
  app.get(
    '/v1/account/identities',
    {
      schema: {
        tags,
        security,
        summary: 'List the identities at providers that may sign in to the account',
        operationId: 'listIdentities',
        querystring: Page,
        response: { 200: z.array(Identity) },
      },
    },
    async (request, reply) => {
      const rows = await listIdentityRows(context.db, request.signedIn.account.id)
      const page = cutPage(rows, request.query, (row) => row.id)
      return sendPage(request, reply, context.config.baseUrl, page).map((row) => toIdentity(context.providers, row))
    },
  )

  app.post(
    '/v1/account/identities',
    {
      config: { action: null },
      schema: {
        tags,
        security,
        summary: 'Begin to link an identity: the browser goes to the page of the provider, and comes back',
        operationId: 'startLink',
        errors: ['unknownProvider', 'providerUnavailable'],
        body: StartLink,
        response: { 200: StartedLink },
      },
    },
    async (request, reply) => {
      const { provider: key, returnTo = '/account' } = request.body
      const provider = context.providers.get(key)
      if (!provider) {
        const faults = [{ source: '/provider', detail: 'is no provider of this server' }]
        throw new ApiError('unknownProvider', { faults })
      }
      const accountId = request.signedIn.account.id
      try {
        return { url: await beginAttempt(context, request, reply, { provider, returnTo, accountId }) }
      } catch (error) {
        throw error instanceof ProviderError ? new ApiError('providerUnavailable', { cause: error }) : error
      }
    },
  )

  app.delete(
    '/v1/account/identities/:identityId',
    {
      config: { action: 'identity.unlink' },
      schema: {
        tags,
        security,
        summary: 'Unlink an identity from the account, which ends its sessions',
        operationId: 'unlinkIdentity',
        errors: ['identityNotFound', 'lastIdentity'],
        params: z.object({ identityId: PathId }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await unlinkIdentity(context, request.signedIn.account, request.params.identityId)
      return reply.code(204).send()
    },
  )
}
