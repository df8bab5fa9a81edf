import {
  AlertRecord,
  AlertRule,
  ApiError,
  CreateAlertRule,
  ListAlerts,
  Page,
  UpdateAlertRule,
} from '@fairlead/contract'
import { z } from 'zod'
import { keepApplication } from '../applications/keep-application.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { checkExists } from '../http/check-exists.ts'
import { cutPage, sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { describeRule, describeRules, requireRule, toAlertRecord } from './alert-rule.ts'
import { listAlertRows } from './alerts-store.ts'
import { createAlertRule, updateAlertRule } from './save.ts'
import { deleteRule, listRuleRows } from './store.ts'

const ofApplication = z.object({ applicationId: PathId })
const params = z.object({ alertRuleId: PathId })
const tags = ['Alerts']

export function addAlertRoutes(app: App, context: AppContext): void {
  const { db, config } = context
  const keep = keepApplication(context)

  app.get(
    '/v1/applications/:applicationId/alertRules',
    {
      config: { role: 'viewer' },
      onRequest: keep,
      schema: {
        tags,
        summary: 'List the alert rules of an application',
        operationId: 'listAlertRules',
        errors: ['applicationNotFound'],
        params: ofApplication,
        querystring: Page,
        response: { 200: z.array(AlertRule) },
      },
    },
    async (request, reply) => {
      const rows = await listRuleRows(db, request.application.id)
      const page = cutPage(rows, request.query, ({ id }) => id)
      return describeRules(db, sendPage(request, reply, config.baseUrl, page))
    },
  )

  app.post(
    '/v1/applications/:applicationId/alertRules',
    {
      config: { role: 'developer', action: 'alertRule.create' },
      onRequest: keep,
      schema: {
        tags,
        summary: 'Create an alert rule; only administrators name hooks',
        operationId: 'createAlertRule',
        errors: ['applicationNotFound', 'unknownHook', 'unknownMember', 'unknownTimeZone', 'tooManyAlertRules'],
        params: ofApplication,
        body: CreateAlertRule,
        response: { 201: AlertRule },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await createAlertRule(context, request.caller, request.application.id, request.body)),
  )

  app.get(
    '/v1/alertRules/:alertRuleId',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        summary: 'Get an alert rule',
        errors: ['alertRuleNotFound'],
        params,
        response: { 200: AlertRule },
      },
    },
    async (request) => describeRule(db, await requireRule(db, request.caller.workspaceId, request.params.alertRuleId)),
  )

  app.patch(
    '/v1/alertRules/:alertRuleId',
    {
      config: { role: 'developer', action: 'alertRule.update' },
      onRequest: checkExists('alertRuleId', (workspaceId, id) => requireRule(db, workspaceId, id)),
      schema: {
        tags,
        summary: 'Change an alert rule; only administrators name hooks',
        operationId: 'updateAlertRule',
        errors: ['alertRuleNotFound', 'unknownHook', 'unknownMember', 'unknownTimeZone'],
        params,
        body: UpdateAlertRule,
        response: { 200: AlertRule },
      },
    },
    (request) => updateAlertRule(context, request.caller, request.params.alertRuleId, request.body),
  )

  app.delete(
    '/v1/alertRules/:alertRuleId',
    {
      config: { role: 'developer', action: 'alertRule.delete' },
      schema: {
        tags,
        summary: 'Delete an alert rule; what it told of stays in the list',
        operationId: 'deleteAlertRule',
        errors: ['alertRuleNotFound'],
        params,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const wasThere = await deleteRule(db, request.caller.workspaceId, request.params.alertRuleId)
      if (!wasThere) throw new ApiError('alertRuleNotFound')
      return reply.code(204).send()
    },
  )

  app.get(
    '/v1/applications/:applicationId/alerts',
    {
      config: { role: 'viewer' },
      onRequest: keep,
      schema: {
        tags,
        summary: 'List what the alert rules of an application told of, in the last 90 days',
        operationId: 'listAlerts',
        errors: ['applicationNotFound'],
        params: ofApplication,
        querystring: ListAlerts,
        response: { 200: z.array(AlertRecord) },
      },
    },
    async (request, reply) => {
      const page = await listAlertRows(db, request.application.id, request.query)
      return sendPage(request, reply, config.baseUrl, page).map(toAlertRecord)
    },
  )
}
