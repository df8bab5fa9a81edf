import { ApiError, BaseUrlCheck } from '@fairlead/contract'
import { z } from 'zod'
import type { OfferedCli } from '../cli-download/offered-cli.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { describeBaseUrl, recordVisit } from './base-url-check.ts'
import { readDevice } from './device.ts'
import { chooseLanguage } from './language.ts'
import { renderMessagePage } from './message-page.ts'
import { pageHeaders } from './page.ts'

/** Adds the page that a phone opens to show that it reaches the server. It needs no account, as install pages do. */
export function addBaseUrlPage(app: App, context: AppContext): void {
  app.get(
    '/install/check/:code',
    { schema: { hide: true, params: z.object({ code: z.string() }) } },
    async (request, reply) => {
      const { platform } = readDevice(request.headers)
      const isKnown = await recordVisit(context, request.params.code, platform ?? 'other')
      if (!isKnown) throw new ApiError('notFound')
      const language = chooseLanguage(request.headers)
      const about = context.config.baseUrl
      return reply.headers(pageHeaders).send(renderMessagePage({ kind: 'addressWorks', language, about }))
    },
  )
}

export function addBaseUrlRoutes(api: App, context: AppContext, offeredCli: OfferedCli | undefined): void {
  api.get(
    '/v1/baseUrl',
    {
      config: { role: 'viewer' },
      schema: {
        tags: ['Workspaces'],
        summary: 'Tell the address in links, and when a device reached the server by it',
        operationId: 'getBaseUrl',
        response: { 200: BaseUrlCheck },
      },
    },
    () => describeBaseUrl(context, offeredCli?.fileName),
  )
}
