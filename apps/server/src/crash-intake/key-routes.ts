import { CrashKey, CreateCrashKey, Page, UpdateCrashKey } from '@fairlead/contract'
import { z } from 'zod'
import { requireApplication } from '../applications/find.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { checkExists } from '../http/check-exists.ts'
import { sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { toCrashKey } from './crash-key.ts'
import { createCrashKey, updateCrashKey } from './save-key.ts'
import { listCrashKeys } from './store.ts'

const params = z.object({ applicationId: PathId })
const tags = ['Crashes']

export function addCrashKeyRoutes(app: App, context: AppContext): void {
  const { baseUrl } = context.config
  const onRequest = checkExists('applicationId', (workspaceId, id) => requireApplication(context, workspaceId, id))

  app.get(
    '/v1/applications/:applicationId/crashKeys',
    {
      config: { role: 'admin' },
      onRequest,
      schema: {
        tags,
        summary: 'List the crash keys of an application',
        operationId: 'listCrashKeys',
        errors: ['applicationNotFound'],
        params,
        querystring: Page.strict(),
        response: { 200: z.array(CrashKey) },
      },
    },
    async (request, reply) => {
      const page = await listCrashKeys(context.db, request.params.applicationId, request.query)
      return sendPage(request, reply, baseUrl, page).map((row) => toCrashKey(row, baseUrl))
    },
  )

  app.post(
    '/v1/applications/:applicationId/crashKeys',
    {
      config: { role: 'admin', action: 'crashKey.create' },
      onRequest,
      schema: {
        tags,
        summary: 'Create a crash key',
        errors: ['applicationNotFound'],
        params,
        body: CreateCrashKey,
        response: { 201: CrashKey },
      },
    },
    async (request, reply) => {
      const { caller, params, body } = request
      return reply.code(201).send(await createCrashKey(context, caller.workspaceId, params.applicationId, body))
    },
  )

  app.patch(
    '/v1/applications/:applicationId/crashKeys/:crashKeyId',
    {
      config: { role: 'admin', action: 'crashKey.update' },
      onRequest,
      schema: {
        tags,
        summary: 'Rename, disable or enable a crash key',
        operationId: 'updateCrashKey',
        errors: ['crashKeyNotFound'],
        params: params.extend({ crashKeyId: PathId }),
        body: UpdateCrashKey,
        response: { 200: CrashKey },
      },
    },
    ({ caller, params, body }) => {
      const { applicationId, crashKeyId: keyId } = params
      return updateCrashKey(context, caller.workspaceId, { applicationId, keyId }, body)
    },
  )
}
