/**
 * Serves Playwright's trace viewer, a static page of the package playwright-core, under a path of its own. Its service
 * worker unpacks a trace and answers requests of the page from it, so the worker's scope ends at this path. It fetches
 * the trace itself, as an attachment of a test, with the session of whoever looks at it.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { App } from '../http/app.ts'

const root = join(dirname(fileURLToPath(import.meta.resolve('playwright-core/package.json'))), 'lib/vite/traceViewer')

/** A name with a content hash, such as `index.BY2vkw8A.js`, stands for the same bytes for ever. */
const hashedName = /[.-][\w-]{8}\.(js|css|ttf)$/

/** Runs in the service worker before Playwright's own code. */
const guard = await readFile(join(import.meta.dirname, 'guard-answers.js'), 'utf8')

export async function addTraceViewerRoutes(app: App): Promise<void> {
  const policy = toPolicy(await readFile(join(root, 'index.html'), 'utf8'))
  const worker = `${guard}\n${await readFile(join(root, 'sw.bundle.js'), 'utf8')}`
  await app.register(fastifyStatic, { root, serve: false, cacheControl: false })
  app.addHook('onSend', async (_request, reply) => {
    reply.headers({
      'content-security-policy': policy,
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
  })

  app.get('/trace-viewer/sw.bundle.js', { schema: { hide: true } }, async (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/javascript; charset=utf-8').send(worker),
  )

  app.get('/trace-viewer/*', { schema: { hide: true } }, async (request, reply) => {
    const path = request.url.replace(/[?#].*/s, '').slice('/trace-viewer/'.length)
    reply.header('cache-control', hashedName.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache')
    return reply.sendFile(path)
  })
}

/**
 * The page may run its own scripts and ask its own server only, so it shows no trace of another host. It draws what was
 * recorded in frames, whose answers come from the service worker with a policy of their own.
 */
function toPolicy(page: string): string {
  const inline = [...page.matchAll(/<script>([^]*?)<\/script>/g)].map(([, code = '']) => toSource(code))
  return [
    "default-src 'none'",
    ["script-src 'self'", ...inline].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self' data: blob:",
    "frame-src 'self' data: blob:",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function toSource(code: string): string {
  return `'sha256-${createHash('sha256').update(code).digest('base64')}'`
}
