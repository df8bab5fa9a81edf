import { ApiError } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { html } from '../html/html.ts'
import type { App } from '../http/app.ts'
import { chooseLanguage } from '../install/language.ts'
import { renderPage } from '../install/page.ts'
import { toLocalPath } from '../install/urls.ts'
import { changeSubscription, readSubscription } from '../testers/subscribe.ts'
import { readUnsubscribeToken, type Subscription, toUnsubscribeUrl } from '../tester-links/unsubscribe-link.ts'
import { renderMailsState } from './mails-section.ts'
import { formPageHeaders } from './page.ts'
import { readForm } from './read-form.ts'

const params = z.object({ token: z.string() })

/**
 * Adds the page where testers turn mails off and on again. Opening it changes nothing, because mail filters open every
 * link. Submitting it needs nothing but the address, because mail programs submit it on their own (RFC 8058).
 */
export function addUnsubscribeRoutes(app: App, context: AppContext): void {
  const requireSubscription = (token: string): Subscription => {
    const subscription = readUnsubscribeToken(context.signingKey, token)
    if (!subscription) throw new ApiError('unsubscribeLinkNotFound')
    return subscription
  }

  const sendPage = async (request: FastifyRequest, reply: FastifyReply, subscription: Subscription) => {
    const { workspaceName, isSubscribed } = await readSubscription(context, subscription)
    const language = chooseLanguage(request.headers)
    const { mails } = language.words.testerPage
    const state = renderMailsState(
      {
        workspaceName,
        email: subscription.emailKey,
        isSubscribed,
        action: toLocalPath(toUnsubscribeUrl(subscription, context.config.baseUrl, context.signingKey)),
        field: { off: ['List-Unsubscribe', 'One-Click'], on: ['subscribe', '1'] },
      },
      language,
    )
    const content = html`<main class="message">
      <h1>${mails}</h1>
      ${state}
    </main>`
    return reply.headers(formPageHeaders).send(renderPage({ lang: language.tag, title: mails, content }))
  }

  app.get('/unsubscribe/:token', { schema: { hide: true, params } }, async (request, reply) =>
    sendPage(request, reply, requireSubscription(request.params.token)),
  )

  // The verb records it, as the tester's action.
  const config = { action: null }
  app.post('/unsubscribe/:token', { config, schema: { hide: true, params } }, async (request, reply) => {
    const subscription = requireSubscription(request.params.token)
    const form = await readForm(request)
    const isSubscribed = form.get('subscribe') === '1'
    if (!isSubscribed && form.get('List-Unsubscribe') !== 'One-Click') throw new ApiError('invalidRequest')
    await changeSubscription(context, subscription, { isSubscribed, address: request.ip })
    return sendPage(request, reply, subscription)
  })

  app.get('/unsubscribe/*', { schema: { hide: true } }, async () => {
    throw new ApiError('unsubscribeLinkNotFound')
  })
}
