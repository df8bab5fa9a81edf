import { ApiError } from '@fairlead/contract'
import type { FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import { readBearer } from '../api-tokens/bearer.ts'
import { findTokenCaller } from '../api-tokens/find-caller.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import type { Caller } from '../http/caller.ts'
import { createHangUpSignal } from '../http/hang-up-signal.ts'
import { createCallLimits } from './call-limits.ts'
import { createCallMetrics } from './metrics.ts'
import type { McpRequestHandler } from './mcp-server.ts'
import { checkOrigin } from './request-origin.ts'
import { readWorkspace } from '../workspaces/find.ts'

/** Agents that are configured for the first address cannot write, whatever their token may do. */
const paths = { read: '/mcp', write: '/mcp/write' }

/** Adds the addresses that coding agents connect to by the Model Context Protocol. */
export function addAgentRoutes(app: App, context: AppContext, registry: Registry): void {
  const calling = { limits: createCallLimits(), metrics: createCallMetrics(registry) }
  let opened: Promise<Record<keyof typeof paths, McpRequestHandler>> | undefined
  const openHandlers = async () => {
    const [{ openMcpServer }, tools] = await Promise.all([import('./mcp-server.ts'), import('./tools.ts')])
    return {
      read: openMcpServer(context.log, { tools: tools.readingTools, isListKept: true }, calling),
      write: openMcpServer(context.log, { tools: tools.allTools, isListKept: false }, calling),
    }
  }

  // Clients with a token look for an OAuth server only where one is announced, and must find none.
  app.get('/.well-known/*', { schema: { hide: true } }, () => {
    throw new ApiError('notFound')
  })

  app.addHook('onRequest', async (request) => {
    if (request.method !== 'POST') return
    checkOrigin(request, context.config.baseUrl)
    request.caller = await requireTokenCaller(context, request)
  })

  for (const kind of ['read', 'write'] as const) {
    // Tools that write record their own actions, since one address serves them all.
    app.post(paths[kind], { schema: { hide: true }, config: { action: null } }, async (request, reply) => {
      const { caller, headers, ip: address } = request
      const { apiTokenId: tokenId, workspaceId } = caller
      if (tokenId === null) throw new ApiError('unauthorized')
      opened ??= openHandlers()
      const { [kind]: handle } = await opened
      const mayWrite = kind === 'write' && (await readWorkspace(context.db, workspaceId)).agentWrites
      const signal = createHangUpSignal(reply)
      reply.hijack()
      for (const [field, value] of Object.entries({ ...reply.getHeaders(), 'cache-control': 'no-store' })) {
        if (value !== undefined) reply.raw.setHeader(field, value)
      }
      const call = { context, caller, tokenId, mayWrite, signal, address, userAgent: headers['user-agent'] }
      await handle(call, { request: request.raw, response: reply.raw, body: request.body })
    })
  }
}

const challenge = { 'www-authenticate': 'Bearer realm="fairlead"' }

/**
 * Identifies the caller by an API token in either header. A cookie opens nothing here, so no page that a browser shows
 * can call a tool.
 *
 * @throws {ApiError} unauthorized
 */
async function requireTokenCaller(
  context: Pick<AppContext, 'db' | 'memo'>,
  { headers }: Pick<FastifyRequest, 'headers'>,
): Promise<Caller> {
  const { authorization, 'x-service-token': token } = headers
  const bearer = readBearer(authorization)
  const isClear = authorization === undefined || token === undefined || bearer === token
  const sent = token ?? bearer
  const caller = isClear && typeof sent === 'string' ? await findTokenCaller(context, sent) : undefined
  if (!caller) {
    throw new ApiError('unauthorized', {
      detail: 'The Authorization or X-Service-Token header holds no valid API token',
      headers: challenge,
    })
  }
  return caller
}
