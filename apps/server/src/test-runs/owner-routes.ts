import { Badge, CodeOwners, UpdateCodeOwners } from '@fairlead/contract'
import { z } from 'zod'
import { requireApplication } from '../applications/find.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { checkExists } from '../http/check-exists.ts'
import { PathId } from '../http/path-id.ts'
import { createBadge, describeBadge, removeBadge } from '../test-verdicts/badge.ts'
import { describeCodeOwners, updateCodeOwners } from '../test-history/owners.ts'

const params = z.object({ applicationId: PathId })
const tags = ['Tests']

/** Adds the routes for the CODEOWNERS file, which names the owners of tests, and for the badge. */
export function addTestOwnerRoutes(app: App, context: AppContext): void {
  const onRequest = checkExists('applicationId', (workspaceId, id) => requireApplication(context, workspaceId, id))

  app.get(
    '/v1/applications/:applicationId/owners',
    {
      config: { role: 'viewer' },
      onRequest,
      schema: { tags, summary: 'Get the CODEOWNERS file', params, response: { 200: CodeOwners } },
    },
    (request) => describeCodeOwners(context.db, request.params.applicationId),
  )

  app.put(
    '/v1/applications/:applicationId/owners',
    {
      config: { role: 'developer', action: 'codeOwners.replace' },
      onRequest,
      schema: {
        tags,
        summary: 'Replace the CODEOWNERS file',
        description: 'Tests get their owners by it.',
        params,
        body: UpdateCodeOwners,
        response: { 200: CodeOwners },
      },
    },
    (request) => updateCodeOwners(context, request.params.applicationId, request.body),
  )

  app.get(
    '/v1/applications/:applicationId/badge',
    {
      config: { role: 'viewer' },
      onRequest,
      schema: { tags, summary: 'Get the address of the badge', params, response: { 200: Badge } },
    },
    (request) => describeBadge(context, request.params.applicationId),
  )

  app.post(
    '/v1/applications/:applicationId/badge',
    {
      config: { role: 'developer', action: 'badge.create' },
      onRequest,
      schema: { tags, summary: 'Create the address of the badge', params, response: { 201: Badge } },
    },
    async (request, reply) => reply.code(201).send(await createBadge(context, request.params.applicationId)),
  )

  app.delete(
    '/v1/applications/:applicationId/badge',
    {
      config: { role: 'developer', action: 'badge.revoke' },
      onRequest,
      schema: { tags, summary: 'Revoke the address of the badge', params, response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      await removeBadge(context.db, request.params.applicationId)
      return reply.code(204).send()
    },
  )
}
