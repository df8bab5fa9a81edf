import {
  Page,
  PreviewRetention,
  Retention,
  RetentionPreview,
  RetentionRun,
  RetentionRunBuild,
  SaveRetention,
} from '@fairlead/contract'
import { z } from 'zod'
import { keepApplication } from '../applications/keep-application.ts'
import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { App } from '../http/app.ts'
import { checkExists } from '../http/check-exists.ts'
import { cutPage, sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { previewRetention } from './preview.ts'
import { requireRun, toRetentionRun, toRunBuild } from './retention-run.ts'
import { listLines, listRunRows } from './run-store.ts'
import { readRetention, saveRetention, toRetention } from './settings.ts'
import { startRun } from './start-run.ts'
import { undoRun } from './undo.ts'

const ofApplication = z.object({ applicationId: PathId })
const ofRun = z.object({ retentionRunId: PathId })
const tags = ['Retention']

export function addRetentionRoutes(app: App, context: AppContext): void {
  const { config, db } = context

  app.get(
    '/v1/applications/:applicationId/retention',
    {
      config: { role: 'viewer' },
      onRequest: keepApplication(context),
      schema: {
        tags,
        summary: 'Get the rules that remove old builds of an application',
        operationId: 'getRetention',
        errors: ['applicationNotFound'],
        params: ofApplication,
        response: { 200: Retention },
      },
    },
    async (request) => toRetention(await readRetention(db, request.application)),
  )

  app.put(
    '/v1/applications/:applicationId/retention',
    {
      config: { role: 'admin', action: 'retention.update' },
      onRequest: keepApplication(context),
      schema: {
        tags,
        summary: 'Set the rules that remove old builds of an application',
        operationId: 'saveRetention',
        errors: ['applicationNotFound'],
        params: ofApplication,
        body: SaveRetention,
        response: { 200: Retention },
      },
    },
    (request) => saveRetention(context, request.application, request.body),
  )

  app.post(
    '/v1/applications/:applicationId/retention/preview',
    {
      config: { role: 'developer', action: null },
      onRequest: keepApplication(context),
      schema: {
        tags,
        summary: 'Say which builds rules would remove now',
        operationId: 'previewRetention',
        errors: ['applicationNotFound'],
        params: ofApplication,
        body: PreviewRetention,
        response: { 200: RetentionPreview },
      },
    },
    (request) => previewRetention(context, request.application, request.body),
  )

  app.get(
    '/v1/applications/:applicationId/retention/runs',
    {
      config: { role: 'viewer' },
      onRequest: keepApplication(context),
      schema: {
        tags,
        summary: 'List the runs of the rules of an application',
        operationId: 'listRetentionRuns',
        errors: ['applicationNotFound'],
        params: ofApplication,
        querystring: Page,
        response: { 200: z.array(RetentionRun) },
      },
    },
    async (request, reply) => {
      const page = cutPage(await listRunRows(db, request.application.id), request.query, (run) => run.id)
      return sendPage(request, reply, config.baseUrl, page).map((run) => toRetentionRun(run, config))
    },
  )

  app.post(
    '/v1/applications/:applicationId/retention/runs',
    {
      config: { role: 'admin', action: 'retention.run' },
      onRequest: keepApplication(context),
      schema: {
        tags,
        summary: 'Run the rules of an application now',
        operationId: 'runRetention',
        errors: ['applicationNotFound', 'retentionRunning'],
        params: ofApplication,
        response: { 202: RetentionRun },
      },
    },
    async (request, reply) => {
      const run = await transact(db, async (trx) =>
        startRun(trx, request.application, await readRetention(trx, request.application), 'hand'),
      )
      context.jobs.wake()
      return reply.code(202).send(toRetentionRun(run, config))
    },
  )

  app.get(
    '/v1/retentionRuns/:retentionRunId',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        summary: 'Get a retention run',
        errors: ['retentionRunNotFound'],
        params: ofRun,
        response: { 200: RetentionRun },
      },
    },
    async (request) =>
      toRetentionRun(await requireRun(context, request.caller.workspaceId, request.params.retentionRunId), config),
  )

  app.get(
    '/v1/retentionRuns/:retentionRunId/builds',
    {
      config: { role: 'viewer' },
      onRequest: checkExists('retentionRunId', (workspaceId, id) => requireRun(context, workspaceId, id)),
      schema: {
        tags,
        summary: 'List the builds that a retention run looked at, and what became of them',
        operationId: 'listRetentionRunBuilds',
        errors: ['retentionRunNotFound'],
        params: ofRun,
        querystring: Page,
        response: { 200: z.array(RetentionRunBuild) },
      },
    },
    async (request, reply) => {
      const page = await listLines(db, request.params.retentionRunId, request.query)
      return sendPage(request, reply, config.baseUrl, page).map(toRunBuild)
    },
  )

  app.post(
    '/v1/retentionRuns/:retentionRunId/undo',
    {
      config: { role: 'admin', action: 'retention.undo' },
      schema: {
        tags,
        summary: 'Bring the builds back that a retention run has removed',
        operationId: 'undoRetentionRun',
        errors: ['retentionRunNotFound', 'undoTooLate'],
        params: ofRun,
        response: { 200: RetentionRun },
      },
    },
    (request) => undoRun(context, request.caller.workspaceId, request.params.retentionRunId),
  )
}
