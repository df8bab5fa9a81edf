import { Feedback, ListFeedback, UpdateFeedback } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { keepApplication } from '../applications/keep-application.ts'
import { keepBuild } from '../builds/keep-build.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { checkExists } from '../http/check-exists.ts'
import { sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { type FeedbackRecord, toFeedback } from './feedback.ts'
import { requireFeedback } from './find.ts'
import { removeFeedback } from './remove.ts'
import { sendPicture } from './send-picture.ts'
import { type FeedbackScope, listFeedbackRecords, updateFeedbackStatus } from './store.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The feedback in the path, which a hook has read. */
    feedback: FeedbackRecord
  }
}

const params = z.object({ feedbackId: PathId })
const tags = ['Feedback']
const errors = ['feedbackNotFound'] as const

export function addFeedbackRoutes(app: App, context: AppContext): void {
  const { db, config } = context
  const keepFeedback = checkExists(
    'feedbackId',
    (workspaceId, id) => requireFeedback(context, workspaceId, id),
    (request, feedback) => {
      request.feedback = feedback
    },
  )
  const sendList = async (request: FastifyRequest, reply: FastifyReply, query: ListFeedback, scope: FeedbackScope) => {
    const page = await listFeedbackRecords(db, { ...scope, status: query.status }, query)
    return sendPage(request, reply, config.baseUrl, page).map((record) => toFeedback(record, config.baseUrl))
  }

  app.get(
    '/v1/applications/:applicationId/feedback',
    {
      config: { role: 'viewer' },
      onRequest: keepApplication(context),
      schema: {
        tags,
        summary: 'List the feedback to an application',
        operationId: 'listFeedback',
        errors: ['applicationNotFound'],
        params: z.object({ applicationId: PathId }),
        querystring: ListFeedback,
        response: { 200: z.array(Feedback) },
      },
    },
    (request, reply) => sendList(request, reply, request.query, { applicationId: request.application.id }),
  )

  app.get(
    '/v1/builds/:buildId/feedback',
    {
      config: { role: 'viewer' },
      onRequest: keepBuild(context),
      schema: {
        tags,
        summary: 'List the feedback to a build',
        operationId: 'listFeedbackOfBuild',
        errors: ['buildNotFound'],
        params: z.object({ buildId: PathId }),
        querystring: ListFeedback,
        response: { 200: z.array(Feedback) },
      },
    },
    (request, reply) => sendList(request, reply, request.query, { buildId: request.build.id }),
  )

  app.get(
    '/v1/feedback/:feedbackId',
    {
      config: { role: 'viewer' },
      schema: { tags, summary: 'Get feedback', errors: [...errors], params, response: { 200: Feedback } },
    },
    async ({ caller, params: { feedbackId } }) =>
      toFeedback(await requireFeedback(context, caller.workspaceId, feedbackId), config.baseUrl),
  )

  app.patch(
    '/v1/feedback/:feedbackId',
    {
      config: { role: 'developer', action: 'feedback.update' },
      onRequest: keepFeedback,
      schema: {
        tags,
        summary: 'Mark feedback as done, or open it again',
        operationId: 'updateFeedback',
        errors: [...errors],
        params,
        body: UpdateFeedback,
        response: { 200: Feedback },
      },
    },
    async ({ feedback, body: { status } }) => {
      await updateFeedbackStatus(db, feedback, status)
      return toFeedback({ ...feedback, status }, config.baseUrl)
    },
  )

  app.delete(
    '/v1/feedback/:feedbackId',
    {
      config: { role: 'admin', action: 'feedback.delete' },
      schema: {
        tags,
        summary: 'Delete feedback with its pictures',
        errors: [...errors],
        params,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await removeFeedback(context, request.caller.workspaceId, request.params.feedbackId)
      return reply.code(204).send()
    },
  )

  app.route({
    // HEAD is declared explicitly, because the HEAD that Fastify derives from GET would drop Content-Length.
    method: ['GET', 'HEAD'],
    url: '/v1/feedback/:feedbackId/pictures/:number',
    config: { role: 'viewer', sends: ['image/png', 'image/jpeg', 'image/webp'] },
    schema: {
      tags,
      summary: 'Get a picture of feedback',
      operationId: 'getFeedbackPicture',
      errors: [...errors, 'notFound'],
      params: params.extend({ number: PathId }),
    },
    async handler(request, reply) {
      const { feedbackId, number } = request.params
      const feedback = await requireFeedback(context, request.caller.workspaceId, feedbackId)
      return sendPicture(context, request, reply, feedback, number)
    },
  })
}
