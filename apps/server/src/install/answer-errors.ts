import { type ApiError, type ErrorCode } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findLinkedBuild } from '../builds/find.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { reportError } from '../http/errors.ts'
import { chooseLanguage } from './language.ts'
import { type MessagePage, renderMessagePage } from './message-page.ts'
import { pageHeaders } from './page.ts'
import { toShownText } from './shown-text.ts'
import type { MessageKind } from './words/words.ts'
import { z } from 'zod'

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

const kinds: Partial<Record<ErrorCode, MessageKind>> = {
  installLinkExpired: 'linkExpired',
  installLinkRevoked: 'linkRevoked',
  buildTrashed: 'buildRemoved',
  downloadExpired: 'downloadExpired',
  tooManyRequests: 'tooManyAttempts',
  tooMuchFeedback: 'tooMuchFeedback',
  feedbackOff: 'feedbackOff',
  nothingToInstall: 'nothingYet',
  testerPageNotFound: 'pageNotFound',
  unsubscribeLinkNotFound: 'pageNotFound',
}

async function toMessage(
  context: AppContext,
  { code, status }: ApiError,
  { params }: FastifyRequest,
): Promise<Omit<MessagePage, 'language'>> {
  const kind = kinds[code]
  if (kind === undefined) return { kind: status === 404 ? 'notFound' : status >= 500 ? 'failed' : 'badRequest' }
  // An address with a grant names no link; nothing is looked up for it.
  const { secret } = z.object({ secret: z.string().default('') }).parse(params)
  const build = await findLinkedBuild(context, secret).catch(() => undefined)
  return { kind, ...(build && { about: toShownText(build.name) }) }
}
