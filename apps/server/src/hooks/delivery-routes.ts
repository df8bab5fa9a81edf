import { HookDelivery, HookDeliveryWithAttempts, ListHookDeliveries } from '@fairlead/contract'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { checkExists } from '../http/check-exists.ts'
import { sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { createBody } from './body.ts'
import { findEventRow, listAttempts, listDeliveryRecords } from './delivery-store.ts'
import { requireDelivery, requireHook, toHookAttempt, toHookDelivery } from './hook.ts'
import { redeliver } from './redeliver.ts'

const params = z.object({ hookDeliveryId: PathId })
const tags = ['Hooks']

export function addHookDeliveryRoutes(app: App, context: AppContext): void {
  const { db, config } = context

  app.get(
    '/v1/hooks/:hookId/deliveries',
    {
      onRequest: checkExists('hookId', (workspaceId, id) => requireHook(db, workspaceId, id)),
      schema: {
        tags,
        summary: 'List the deliveries of a hook',
        operationId: 'listHookDeliveries',
        errors: ['hookNotFound'],
        params: z.object({ hookId: PathId }),
        querystring: ListHookDeliveries,
        response: { 200: z.array(HookDelivery) },
      },
    },
    async (request, reply) => {
      const page = await listDeliveryRecords(db, request.caller.workspaceId, request.params.hookId, request.query)
      return sendPage(request, reply, config.baseUrl, page).map(toHookDelivery)
    },
  )

  app.get(
    '/v1/hookDeliveries/:hookDeliveryId',
    {
      schema: {
        tags,
        summary: 'Get a delivery with its attempts',
        operationId: 'getHookDelivery',
        errors: ['hookDeliveryNotFound'],
        params,
        response: { 200: HookDeliveryWithAttempts },
      },
    },
    async (request) => {
      const { workspaceId } = request.caller
      const delivery = await requireDelivery(db, workspaceId, request.params.hookDeliveryId)
      const attempts = await listAttempts(db, delivery.id)
      return { ...toHookDelivery(delivery), body: await findBody(delivery), attempts: attempts.map(toHookAttempt) }
    },
  )

  /** The first attempt stores the body; before it, this is the body that it will send. */
  async function findBody(delivery: Awaited<ReturnType<typeof requireDelivery>>): Promise<string> {
    if (delivery.body !== null) return delivery.body
    const hook = await requireHook(db, delivery.workspace_id, delivery.hook_id)
    return createBody(hook, await findEventRow(db, delivery.event_id), config.baseUrl)
  }

  app.post(
    '/v1/hookDeliveries/:hookDeliveryId/redeliver',
    {
      config: { action: 'hook.redeliver' },
      schema: {
        tags,
        summary: 'Send a delivery again',
        operationId: 'redeliver',
        errors: ['hookDeliveryNotFound', 'hookOff'],
        params,
        response: { 202: HookDelivery },
      },
    },
    async (request, reply) => {
      const again = await redeliver(context, request.caller.workspaceId, request.params.hookDeliveryId)
      return reply.code(202).send(again)
    },
  )
}
