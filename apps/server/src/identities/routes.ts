import { ApiError } from '@fairlead/contract'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { reportError, toLoggedPath } from '../http/errors.ts'
import { ProviderError } from '../oidc/provider-error.ts'
import { endByProvider } from './back-channel.ts'
import { beginAttempt, requireProvider } from './begin.ts'
import { finishAttempt } from './finish.ts'
import { Refusal, refusals } from './refusal.ts'
import { refusalHeaders, renderRefusal } from './refusal-page.ts'

/** A logout token is about a kilobyte. */
const formLimit = 16 * 1024

const params = z.object({ key: z.string() })
const query = z.record(z.string(), z.unknown())

/** Adds the addresses that browsers and providers use to sign people in and out. None of them needs a session. */
export function addProviderRoutes(app: App, context: AppContext): void {
  answerRefusals(app, context)
  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex')
  })

  app.get('/sign-in/oidc/:key', { schema: { hide: true, params, querystring: query } }, async (request, reply) => {
    const provider = requireProvider(context, request.params.key)
    const { returnTo } = request.query
    const url = await beginAttempt(context, request, reply, { provider, returnTo, accountId: null })
    return reply.redirect(url, 302)
  })

  app.get(
    '/sign-in/oidc/:key/callback',
    { schema: { hide: true, params, querystring: query } },
    async (request, reply) => {
      const provider = requireProvider(context, request.params.key)
      const { state } = request.query
      if (typeof state !== 'string') throw new Refusal('state')
      return reply.redirect(await finishAttempt(context, request, reply, provider, { state }), 303)
    },
  )

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: formLimit },
    (_request, body, done) => done(null, body),
  )
  app.post(
    '/sign-in/oidc/:key/backChannelLogout',
    // The sessions that end are recorded one by one.
    { config: { action: null }, bodyLimit: formLimit, schema: { hide: true, params } },
    async (request, reply) => {
      const provider = requireProvider(context, request.params.key)
      const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
      const token = form.get('logout_token')
      if (token === null) throw new ApiError('invalidLogoutToken', { detail: 'The form has no logout_token' })
      await endByProvider(context, provider, token, { address: request.ip, target: toLoggedPath(request.url) })
      return reply.code(200).send()
    },
  )
}

/** Answers refusals with a page. Other errors stay the error object, because programs call here too. */
function answerRefusals(app: App, context: AppContext): void {
  app.setErrorHandler(async (thrown, request, reply: FastifyReply) => {
    const { key } = params.partial().parse(request.params)
    const refusal = thrown instanceof ProviderError ? new Refusal(thrown.code, thrown.message) : thrown
    if (refusal instanceof Refusal) {
      const name = context.providers.get(key ?? '')?.name ?? 'The provider'
      const { status } = refusals[refusal.reason]
      context.log.info({ provider: key, reason: refusal.reason, detail: refusal.message }, 'a sign-in was refused')
      return reply.code(status).headers(refusalHeaders).send(renderRefusal(refusal, name))
    }
    const { error, body } = reportError(context.log, thrown, request)
    return reply.code(error.status).headers(error.headers).type('application/json; charset=utf-8').send(body)
  })
}
