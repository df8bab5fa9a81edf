import {
  CreatedHook,
  CreateHook,
  Hook,
  HookDelivery,
  Page,
  RedeliverHook,
  Redelivered,
  RotatedHookSecret,
  RotateHookSecret,
  UpdateHook,
  ApiError,
} from '@fairlead/contract'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { checkExists } from '../http/check-exists.ts'
import { cutPage, sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { describeHook, requireHook, toHook } from './hook.ts'
import { redeliverSince, testHook } from './redeliver.ts'
import { rotateHookSecret } from './rotate-secret.ts'
import { createHook, updateHook } from './save.ts'
import { countWaiting, deleteHookRow, listHookRows } from './store.ts'

const params = z.object({ hookId: PathId })
const tags = ['Hooks']

/** Only administrators read hooks, because the address of a chat's hook is a secret. */
export function addHookRoutes(app: App, context: AppContext): void {
  const { db, config } = context
  const existing = checkExists('hookId', (workspaceId, id) => requireHook(db, workspaceId, id))

  app.get(
    '/v1/hooks',
    { schema: { tags, summary: 'List the hooks', querystring: Page, response: { 200: z.array(Hook) } } },
    async (request, reply) => {
      const rows = await listHookRows(db, request.caller.workspaceId)
      const page = cutPage(rows, request.query, ({ id }) => id)
      const waiting = await countWaiting(
        db,
        page.items.map(({ id }) => id),
      )
      return sendPage(request, reply, config.baseUrl, page).map((row) => toHook(config, row, waiting.get(row.id)))
    },
  )

  app.post(
    '/v1/hooks',
    {
      config: { action: 'hook.create' },
      schema: {
        tags,
        summary: 'Create a hook',
        errors: ['hookAddress', 'unknownApplication', 'tooManyHooks'],
        body: CreateHook,
        response: { 201: CreatedHook },
      },
    },
    async (request, reply) => reply.code(201).send(await createHook(context, request.caller, request.body)),
  )

  app.get(
    '/v1/hooks/:hookId',
    { schema: { tags, summary: 'Get a hook', errors: ['hookNotFound'], params, response: { 200: Hook } } },
    async (request) => describeHook(context, await requireHook(db, request.caller.workspaceId, request.params.hookId)),
  )

  app.patch(
    '/v1/hooks/:hookId',
    {
      config: { action: 'hook.update' },
      onRequest: existing,
      schema: {
        tags,
        summary: 'Change a hook, or turn it on or off',
        operationId: 'updateHook',
        errors: ['hookNotFound', 'hookAddress', 'unknownApplication'],
        params,
        body: UpdateHook,
        response: { 200: Hook },
      },
    },
    (request) => updateHook(context, request.caller.workspaceId, request.params.hookId, request.body),
  )

  app.delete(
    '/v1/hooks/:hookId',
    {
      config: { action: 'hook.delete' },
      schema: { tags, summary: 'Delete a hook', errors: ['hookNotFound'], params, response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      const wasThere = await deleteHookRow(db, request.caller.workspaceId, request.params.hookId)
      if (!wasThere) throw new ApiError('hookNotFound')
      return reply.code(204).send()
    },
  )

  app.post(
    '/v1/hooks/:hookId/rotateSecret',
    {
      config: { action: 'hook.rotateSecret' },
      onRequest: existing,
      schema: {
        tags,
        summary: 'Give a hook a new secret',
        operationId: 'rotateHookSecret',
        errors: ['hookNotFound'],
        params,
        body: RotateHookSecret.nullish(),
        response: { 200: RotatedHookSecret },
      },
    },
    (request) => rotateHookSecret(context, request.caller.workspaceId, request.params.hookId, request.body ?? {}),
  )

  app.post(
    '/v1/hooks/:hookId/test',
    {
      config: { action: 'hook.test' },
      onRequest: existing,
      schema: {
        tags,
        summary: 'Send a test to a hook',
        operationId: 'testHook',
        errors: ['hookNotFound', 'hookOff'],
        params,
        response: { 202: HookDelivery },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await testHook(context, request.caller.workspaceId, request.params.hookId)),
  )

  app.post(
    '/v1/hooks/:hookId/redeliver',
    {
      config: { action: 'hook.redeliver' },
      onRequest: existing,
      schema: {
        tags,
        summary: 'Send again what failed since a time',
        operationId: 'redeliverHook',
        errors: ['hookNotFound', 'hookOff'],
        params,
        body: RedeliverHook,
        response: { 202: Redelivered },
      },
    },
    async (request, reply) => {
      const { caller, body, params: path } = request
      const result = await redeliverSince(context, caller.workspaceId, path.hookId, Date.parse(body.since))
      return reply.code(202).send(result)
    },
  )
}
