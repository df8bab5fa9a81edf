import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { App } from '../http/app.ts'
import { type FindKeptAsset, keepAssets, openKeptAssets } from './kept-assets.ts'
import { renderMissingDashboard } from './missing-page.ts'
import { securityHeaders } from './security-headers.ts'

/** `npm ci` and `npm start` build the dashboard into this folder. */
const defaultRoot = fileURLToPath(new URL('../../../dashboard/dist', import.meta.url))

/** Unknown paths under these prefixes get an error object, never the dashboard's page. */
const apiPath = /^\/(v\d+|mcp|install|latest|unsubscribe|docs|openapi\.json|healthz|readyz|metrics|trace-viewer)(\/|$)/

export interface DashboardOptions {
  /** The folder of the built dashboard. */
  root?: string
  /** The folder in which the scripts of earlier versions are kept; they are not kept unless it is given. */
  kept?: { folder: string; log: Pick<Logger, 'warn'> }
}

/** A server that ends sooner, as most in tests do, does not keep a copy of its scripts. */
const keptAfterMs = 10_000

/**
 * Serves the dashboard's files, and its single page for every browser navigation that no other route answers. The
 * dashboard's own router then reads the address.
 */
export async function addDashboardRoutes(app: App, { root = defaultRoot, kept }: DashboardOptions = {}): Promise<void> {
  const findKept = kept && (await keepScripts(app, root, kept))
  await app.register(fastifyStatic, { root, serve: false, preCompressed: true, cacheControl: false })
  app.addHook('onSend', async (_request, reply) => {
    reply.headers(securityHeaders)
  })

  app.get('/assets/*', { schema: { hide: true } }, async (request, reply) => {
    // Asset names contain a content hash, so they can be cached for ever.
    reply.header('cache-control', 'public, max-age=31536000, immutable')
    const path = toPath(request)
    const earlier = existsSync(join(root, path)) ? undefined : findKept?.(path.slice('/assets/'.length))
    return earlier === undefined ? reply.sendFile(path) : reply.sendFile(path, earlier)
  })
  for (const file of ['mark.svg', 'color-scheme.js']) {
    app.get(`/${file}`, { schema: { hide: true } }, async (_request, reply) =>
      reply.header('cache-control', 'public, max-age=3600').sendFile(file),
    )
  }

  // Browsers ask for this file beside pages that name no icon.
  app.get('/favicon.ico', { schema: { hide: true } }, async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').sendFile('mark.svg'),
  )

  app.get('/*', { schema: { hide: true } }, async (request, reply) => {
    const path = toPath(request)
    // The start page is for everyone, so that `curl` shows that a server answers.
    if (path !== '/' && (apiPath.test(path) || !isNavigation(request))) return reply.callNotFound()
    return sendPage(reply, root)
  })
}

/** Offers the scripts of earlier versions, and keeps those of this one. A full disk costs open tabs a reload only. */
async function keepScripts(
  app: App,
  root: string,
  { folder, log }: NonNullable<DashboardOptions['kept']>,
): Promise<FindKeptAsset | undefined> {
  if (!existsSync(join(root, 'index.html'))) return undefined
  const warn = (error: unknown) => log.warn({ err: error }, 'the scripts of earlier dashboards are not kept')
  let copying = Promise.resolve()
  const timer = setTimeout(() => {
    copying = keepAssets(root, folder).catch(warn)
  }, keptAfterMs)
  app.addHook('onClose', async () => {
    clearTimeout(timer)
    await copying
  })
  return openKeptAssets(root, folder).catch((error: unknown) => {
    warn(error)
    return undefined
  })
}

function sendPage(reply: FastifyReply, root: string): FastifyReply {
  reply.header('cache-control', 'no-cache').header('vary', 'Accept, Accept-Encoding')
  if (existsSync(`${root}/index.html`)) return reply.sendFile('index.html')
  return reply.code(503).type('text/html; charset=utf-8').send(renderMissingDashboard())
}

/** Browsers accept text/html when they navigate. Scripts do not name it, and get an error object instead. */
function isNavigation(request: FastifyRequest): boolean {
  return request.headers.accept?.includes('text/html') ?? false
}

function toPath(request: FastifyRequest): string {
  return request.url.replace(/[?#].*/s, '')
}
