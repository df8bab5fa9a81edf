import { ApiError, feedbackLimits } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { formOverhead, type FeedbackForm as ReadForm } from '../feedback/read-form.ts'
import { receiveFeedback } from '../feedback/receive.ts'
import { takesFeedback } from '../feedback/rule.ts'
import type { App } from '../http/app.ts'
import { continueUpload } from '../http/continue-upload.ts'
import { createHangUpSignal } from '../http/hang-up-signal.ts'
import { feedbackHeaders, type RefusedForm, renderFeedbackPage, renderThanksPage } from './feedback-form.ts'
import { type FeedbackPlace, openInstallPlace, openLatestPlace, toFormPath } from './feedback-place.ts'
import { chooseLanguage, type Language } from './language.ts'

const bodyLimit = feedbackLimits.bytes + formOverhead
const query = z.object({ grant: z.string().max(500).optional(), sent: z.string().optional() })

/** Adds the addresses that feedback is sent to, below each page that offers a build. */
export function addFeedbackPlaces(app: App, context: AppContext): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  const schema = { hide: true, querystring: query }

  const addPlace = (url: string, open: (request: FastifyRequest) => Promise<FeedbackPlace>) => {
    app.get(url, { schema }, async (request, reply) => {
      const place = await open(request)
      const language = chooseLanguage(request.headers)
      reply.headers(feedbackHeaders)
      if (request.query.sent !== undefined) return reply.send(renderThanksPage(place.app, place.page, language))
      if (!place.isAllowed) return reply.redirect(place.page, 303)
      await requireTaken(context, place)
      return reply.send(renderFeedbackPage(place.app, toForm(place), language, null))
    })
    // Strangers send it, so there is nobody whom the audit log could name.
    const config = { action: null }
    app.post(url, { schema, bodyLimit, config }, async (request, reply) =>
      send(context, request, reply, await open(request)),
    )
  }

  addPlace('/install/:secret/feedback', (request) => openInstallPlace(context, request))
  addPlace('/install/:secret/for/:tester/feedback', (request) => openInstallPlace(context, request))
  addPlace('/latest/:secret/feedback', (request) => openLatestPlace(context, request))
}

function toForm(place: FeedbackPlace) {
  return { action: toFormPath(place), isPersonal: place.testerId !== null }
}

async function requireTaken(context: AppContext, { build, testerId }: FeedbackPlace): Promise<void> {
  if (!(await takesFeedback(context, build.workspace_id, testerId !== null))) throw new ApiError('feedbackOff')
}

/** Receives what the form sent. A program gets JSON; a browser gets the next page, or the form with what is wrong. */
async function send(
  context: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  place: FeedbackPlace,
): Promise<FastifyReply> {
  const accepted = request.headers.accept ?? ''
  if (!place.isAllowed) {
    if (accepted.includes('text/html')) return reply.redirect(place.page, 303)
    throw new ApiError('linkPasswordNeeded', {
      headers: { 'www-authenticate': 'Basic realm="Install link", charset="UTF-8"' },
    })
  }
  await requireTaken(context, place)
  const form: ReadForm = { fields: new Map(), pictures: [] }
  try {
    const id = await receiveFeedback(context, {
      ...place,
      address: request.ip,
      contentType: request.headers['content-type'],
      userAgent: request.headers['user-agent'],
      open: () => continueUpload(request, reply, bodyLimit).open(),
      form,
      signal: createHangUpSignal(reply),
    })
    reply.header('cache-control', 'no-store')
    if (accepted.includes('application/json')) return await reply.code(201).send({ id })
    return await reply.redirect(`${place.page}/feedback?sent=1`, 303)
  } catch (error) {
    const language = chooseLanguage(request.headers)
    const refused = accepted.includes('text/html') ? toRefusedForm(error, form, language) : undefined
    if (!refused || !(error instanceof ApiError)) throw error
    const page = renderFeedbackPage(place.app, toForm(place), language, refused)
    return reply.code(error.status).headers(feedbackHeaders).send(page)
  }
}

/** Returns the form with what was typed, for a refusal that its sender can mend. */
function toRefusedForm(error: unknown, { fields }: ReadForm, { words }: Language): RefusedForm | undefined {
  if (!(error instanceof ApiError)) return undefined
  const typed = { text: fields.get('text') ?? '', contact: fields.get('contact') ?? '' }
  if (error.code === 'tooLarge') return { ...typed, faults: [words.feedback.tooLarge] }
  if (error.code !== 'unreadableFeedback') return undefined
  const faults = (error.faults ?? []).map(({ source }) => {
    if (source === 'contact') return words.feedback.contactFault
    const place = /^pictures\/(\d+)$/.exec(source)?.[1]
    if (place === undefined) return words.feedback.textFault
    return Number(place) < feedbackLimits.pictures
      ? words.feedback.pictureFault(Number(place) + 1)
      : words.feedback.tooManyPictures
  })
  return { ...typed, faults: faults.length > 0 ? faults : [words.messages.badRequest.title] }
}
