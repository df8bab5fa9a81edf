import { Page, SymbolsFile } from '@fairlead/contract'
import { z } from 'zod'
import { requireApplication } from '../applications/find.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { checkExists } from '../http/check-exists.ts'
import { sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { removeSymbolsFile } from './remove.ts'
import { listSymbolsFiles, requireSymbolsFile } from './store.ts'
import { toSymbolsFile } from './symbols-file.ts'

const params = z.object({ symbolsFileId: PathId })
const tags = ['Symbols files']

export function addSymbolsFileRoutes(app: App, context: AppContext): void {
  app.get(
    '/v1/applications/:applicationId/symbolsFiles',
    {
      config: { role: 'viewer' },
      onRequest: checkExists('applicationId', (workspaceId, id) => requireApplication(context, workspaceId, id)),
      schema: {
        tags,
        summary: 'List the symbols files of an application',
        operationId: 'listSymbolsFiles',
        errors: ['applicationNotFound'],
        params: z.object({ applicationId: PathId }),
        querystring: Page,
        response: { 200: z.array(SymbolsFile) },
      },
    },
    async (request, reply) => {
      const { workspaceId } = request.caller
      const page = await listSymbolsFiles(context.db, workspaceId, request.params.applicationId, request.query)
      return sendPage(request, reply, context.config.baseUrl, page).map(toSymbolsFile)
    },
  )

  app.get(
    '/v1/symbolsFiles/:symbolsFileId',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        summary: 'Get a symbols file',
        errors: ['symbolsFileNotFound'],
        params,
        response: { 200: SymbolsFile },
      },
    },
    async (request) =>
      toSymbolsFile(await requireSymbolsFile(context.db, request.caller.workspaceId, request.params.symbolsFileId)),
  )

  app.delete(
    '/v1/symbolsFiles/:symbolsFileId',
    {
      config: { role: 'developer', action: 'symbolsFile.delete' },
      schema: {
        tags,
        summary: 'Delete a symbols file',
        errors: ['symbolsFileNotFound'],
        params,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await removeSymbolsFile(context, request.caller.workspaceId, request.params.symbolsFileId)
      return reply.code(204).send()
    },
  )
}
