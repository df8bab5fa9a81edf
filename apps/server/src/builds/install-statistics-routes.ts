import { InstallStatistics } from '@fairlead/contract'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { PathId } from '../http/path-id.ts'
import { readInstallStatistics } from './install-statistics.ts'

export function addInstallStatisticsRoutes(app: App, context: AppContext): void {
  app.get(
    '/v1/builds/:buildId/installs',
    {
      config: { role: 'viewer' },
      schema: {
        tags: ['Builds'],
        summary: 'Count the installs of a build, by day and by tester',
        operationId: 'getInstallStatistics',
        errors: ['buildNotFound'],
        params: z.object({ buildId: PathId }),
        querystring: z.object({
          days: z.coerce
            .number()
            .meta({ examples: [30] })
            .int()
            .min(1)
            .max(366)
            .default(30),
        }),
        response: { 200: InstallStatistics },
      },
    },
    (request) => readInstallStatistics(context, request.caller.workspaceId, request.params.buildId, request.query.days),
  )
}
