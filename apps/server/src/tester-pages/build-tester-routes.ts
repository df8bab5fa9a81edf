import { BuildTester, Page, Reminded, RemindTesters } from '@fairlead/contract'
import { z } from 'zod'
import { requireBuild } from '../builds/find.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { checkExists } from '../http/check-exists.ts'
import { cutPage, sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { listTesterStatuses, toBuildTester } from './list-statuses.ts'
import { remindTesters } from './remind.ts'

const params = z.object({ buildId: PathId })
const tags = ['Testers']

/** Adds the routes that tell how far the testers of a build are, and that remind them. */
export function addBuildTesterRoutes(app: App, context: AppContext): void {
  app.get(
    '/v1/builds/:buildId/testers',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        summary: 'List the testers of a build with what they did',
        description: 'Sorted by e-mail address.',
        operationId: 'listBuildTesters',
        errors: ['buildNotFound'],
        params,
        querystring: Page,
        response: { 200: z.array(BuildTester) },
      },
    },
    async (request, reply) => {
      const build = await requireBuild(context, request.caller.workspaceId, request.params.buildId)
      await context.installs.flush()
      const statuses = await listTesterStatuses(context.db, build)
      const page = cutPage(statuses, request.query, ({ testerId }) => testerId)
      return sendPage(request, reply, context.config.baseUrl, page).map(toBuildTester)
    },
  )

  app.post(
    '/v1/builds/:buildId/remind',
    {
      config: { role: 'developer', action: 'tester.remind' },
      onRequest: checkExists('buildId', (workspaceId, id) => requireBuild(context, workspaceId, id)),
      schema: {
        tags,
        summary: 'Remind testers of a build by mail',
        description:
          'Testers who installed it, have unsubscribed, were reminded in the last 24 hours or three times in all get ' +
          'no mail.',
        operationId: 'remindTesters',
        errors: ['buildNotFound', 'buildWithoutLink', 'tooManyMails'],
        params,
        body: RemindTesters,
        response: { 202: Reminded },
      },
    },
    async (request, reply) => {
      const { buildId } = request.params
      return reply.code(202).send(await remindTesters(context, request.caller.workspaceId, buildId, request.body))
    },
  )
}
