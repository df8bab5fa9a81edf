import { InstallLink, UpdateInstallLink } from '@fairlead/contract'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { PathId } from '../http/path-id.ts'
import { requireBuild } from './find.ts'
import { toInstallLink, updateInstallLink } from './install-link.ts'
import { keepBuild } from './keep-build.ts'

const params = z.object({ buildId: PathId })
const tags = ['Builds']

export function addInstallLinkRoutes(app: App, context: AppContext): void {
  app.get(
    '/v1/builds/:buildId/installLink',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        summary: 'Get the state of the install link of a build',
        operationId: 'getInstallLink',
        errors: ['buildNotFound'],
        params,
        response: { 200: InstallLink },
      },
    },
    async (request) => {
      const build = await requireBuild(context, request.caller.workspaceId, request.params.buildId)
      return toInstallLink(build, context.config.baseUrl)
    },
  )

  app.patch(
    '/v1/builds/:buildId/installLink',
    {
      config: { role: 'developer', action: 'installLink.update' },
      onRequest: keepBuild(context),
      schema: {
        tags,
        summary: 'Extend, revoke, restore or protect the install link of a build',
        operationId: 'updateInstallLink',
        errors: ['buildNotFound'],
        params,
        body: UpdateInstallLink,
        response: { 200: InstallLink },
      },
    },
    (request) => updateInstallLink(context, request.build, request.body),
  )
}
