import { Readable } from 'node:stream'
import { AuditEvent, ListAuditEvents } from '@fairlead/contract'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { announcePage } from '../http/paging.ts'
import { sendJsonArray } from '../http/send-json.ts'
import { iterateAuditEvents, listAuditEvents } from './list.ts'

const tags = ['Audit log']

export function addAuditRoutes(app: App, context: AppContext): void {
  const { db, config } = context

  app.get(
    '/v1/auditEvents',
    {
      config: { role: 'admin' },
      schema: {
        tags,
        summary: 'List who did what in the workspace, newest first',
        operationId: 'listAuditEvents',
        querystring: ListAuditEvents,
        response: { 200: z.array(AuditEvent) },
      },
    },
    async (request, reply) => {
      const { workspaceId } = request.caller
      const { limit, ...query } = request.query
      if (limit === undefined) return sendJsonArray(reply, iterateAuditEvents(db, workspaceId, query))
      const page = await listAuditEvents(db, workspaceId, { ...query, limit })
      announcePage(request, reply, config.baseUrl, page)
      return reply.send(page.items)
    },
  )

  app.get(
    '/v1/auditEvents/export',
    {
      config: { role: 'admin' },
      schema: {
        tags,
        summary: 'Export the audit log as JSON lines, newest first',
        operationId: 'exportAuditLog',
        text: 'application/x-ndjson',
        querystring: ListAuditEvents,
      },
    },
    async (request, reply) => {
      const events = iterateAuditEvents(db, request.caller.workspaceId, request.query)
      return reply
        .type('application/x-ndjson; charset=utf-8')
        .header('content-disposition', 'attachment; filename="audit-log.jsonl"')
        .send(Readable.from(toLines(events, request.query.limit), { objectMode: false }))
    },
  )
}

async function* toLines(slices: AsyncIterable<AuditEvent[]>, limit = Infinity): AsyncGenerator<string> {
  let left = limit
  for await (const slice of slices) {
    for (const event of slice) {
      if (left-- <= 0) return
      yield `${JSON.stringify(event)}\n`
    }
  }
}
