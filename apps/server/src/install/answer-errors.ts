import { type ApiError } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isExpired } from '../builds/build.ts'
import { findLinkedBuild } from '../builds/find.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { reportError } from '../http/errors.ts'
import { toInstallUrl } from '../links/install-url.ts'
import { chooseLanguage } from './language.ts'
import { type MessagePage, renderMessagePage } from './message-page.ts'
import { pageHeaders } from './page.ts'
import { toShownText } from './shown-text.ts'
import { toLocalPath } from './urls.ts'

/** Answers errors of install pages: with a page for browsers, with the error object for everything else. */
export function answerErrors(app: App, context: AppContext): void {
  app.setErrorHandler(async (thrown, request: FastifyRequest, reply: FastifyReply) => {
    const { error, body } = reportError(context.log, thrown, request)
    reply.code(error.status).headers(error.headers).header('cache-control', 'no-store')
    if (request.headers.accept?.includes('text/html') !== true) {
      return reply.type('application/json; charset=utf-8').send(body)
    }
    const message = await toMessage(context, error, request)
    const reference = error.status >= 500 ? { reference: body.id } : {}
    const language = chooseLanguage(request.headers)
    return reply.headers(pageHeaders).send(renderMessagePage({ ...message, ...reference, language }))
  })
}

async function toMessage(
  context: AppContext,
  { code, status }: ApiError,
  { params }: FastifyRequest,
): Promise<Omit<MessagePage, 'language'>> {
  if (code === 'installLinkExpired') {
    const { secret } = params as { secret: string }
    const build = await findLinkedBuild(context, secret).catch(() => undefined)
    if (build && !isExpired(build)) {
      return { kind: 'downloadExpired', href: toLocalPath(toInstallUrl(build, context.config.baseUrl)) }
    }
    return { kind: 'linkExpired', ...(build && { about: toShownText(build.name) }) }
  }
  if (status === 404) return { kind: 'notFound' }
  return { kind: status >= 500 ? 'failed' : 'badRequest' }
}
