import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import fastify, { type FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { createErrorHandler } from '../http/errors.ts'
import { answerRouterMisses } from '../http/router-misses.ts'
import type { App } from '../http/app.ts'
import { addDashboardRoutes } from './routes.ts'

const html = { accept: 'text/html,application/xhtml+xml' }

async function openApp(root: string): Promise<FastifyInstance> {
  const app = fastify()
  answerRouterMisses(app)
  app.setErrorHandler(createErrorHandler(pino({ level: 'silent' })))
  app.post('/v1/applications', async () => ({}))
  void app.register(async (pages) => addDashboardRoutes(pages as App, { root }))
  await app.ready()
  return app
}

describe('the dashboard, served', () => {
  let root: string
  let app: FastifyInstance

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'fairlead-dashboard-'))
    await mkdir(join(root, 'assets'))
    await writeFile(join(root, 'index.html'), '<title>Fairlead</title>')
    await writeFile(join(root, 'mark.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
    await writeFile(join(root, 'assets/index-abc123.js'), 'let a = 1')
    await writeFile(join(root, 'assets/index-abc123.js.br'), 'compressed')
    app = await openApp(root)
  })

  after(async () => {
    await app.close()
    await rm(root, { recursive: true })
  })

  it('serves one page for every browser navigation, revalidated each time', async () => {
    for (const url of ['/', '/applications/1?q=x', '/no/such/page', '/versions']) {
      const answer = await app.inject({ url, headers: html })
      assert.equal(answer.statusCode, 200, url)
      assert.equal(answer.body, '<title>Fairlead</title>')
      assert.equal(answer.headers['cache-control'], 'no-cache')
      assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
    }
  })

  it('serves the start page to every client, and an icon where browsers look for one', async () => {
    const page = await app.inject({ url: '/', headers: { accept: '*/*' } })
    assert.equal(page.statusCode, 200)
    assert.equal(page.body, '<title>Fairlead</title>')
    const icon = await app.inject({ url: '/favicon.ico' })
    assert.equal(icon.statusCode, 200)
    assert.equal(icon.headers['content-type'], 'image/svg+xml')
  })

  it('allows only its own scripts and no framing', async () => {
    const { headers } = await app.inject({ url: '/', headers: html })
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /default-src 'none'; script-src 'self';/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /unsafe-eval|\*|https?:/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'same-origin')
  })

  it('lets browsers cache files with a content hash for ever, and compresses them when accepted', async () => {
    const plain = await app.inject({ url: '/assets/index-abc123.js' })
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(plain.body, 'let a = 1')
    const compressed = await app.inject({ url: '/assets/index-abc123.js', headers: { 'accept-encoding': 'br, gzip' } })
    assert.equal(compressed.headers['content-encoding'], 'br')
    assert.match(String(compressed.headers['content-type']), /javascript/)
  })

  it('never serves its page in place of a missing asset, API path or install link', async () => {
    for (const url of ['/assets/gone.js', '/v1/nothing', '/v2/nothing', '/install/a/b/c', '/docs/x', '/metrics']) {
      const { statusCode, headers } = await app.inject({ url, headers: html })
      assert.equal(statusCode, 404, url)
      assert.equal(headers['cache-control'], 'no-store', url)
    }
  })

  it('leaves router errors unchanged for clients that do not accept HTML', async () => {
    assert.equal((await app.inject({ url: '/nothing' })).statusCode, 404)
    assert.equal((await app.inject({ method: 'POST', url: '/nothing' })).statusCode, 404)
    const wrongMethod = await app.inject({ url: '/v1/applications', headers: html })
    assert.equal(wrongMethod.statusCode, 405)
    assert.equal(wrongMethod.headers.allow, 'POST')
  })

  it('does not serve files outside its folder', async () => {
    for (const url of ['/assets/../../package.json', '/assets/%2e%2e/%2e%2e/package.json', '/assets/..%2findex.html']) {
      assert.notEqual((await app.inject({ url, headers: { accept: '*/*' } })).statusCode, 200, url)
    }
  })

  it('explains how to build it when it was never built', async () => {
    const bare = await openApp(join(root, 'missing'))
    const answer = await bare.inject({ url: '/', headers: html })
    assert.equal(answer.statusCode, 503)
    assert.match(answer.body, /npm run build/)
    await bare.close()
  })
})
