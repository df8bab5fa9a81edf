import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Script } from 'node:vm'
import fastify, { type FastifyInstance } from 'fastify'
import type { App } from '../http/app.ts'
import { addTraceViewerRoutes } from './routes.ts'

describe('the trace viewer of Playwright, served', () => {
  let app: FastifyInstance

  before(async () => {
    app = fastify()
    void app.register(async (pages) => addTraceViewerRoutes(pages as App))
    await app.ready()
  })
  after(() => app.close())

  it('allows its own scripts only, and asks no other host', async () => {
    const { statusCode, headers, body } = await app.inject('/trace-viewer/index.html?trace=/v1/testAttachments/1')
    assert.equal(statusCode, 200)
    assert.match(body, /Playwright Trace Viewer/)
    assert.equal(headers['cache-control'], 'no-cache')
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /default-src 'none'; script-src 'self' 'sha256-[^']+';/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /unsafe-eval|\*|https?:/)
    assert.doesNotMatch(/script-src[^;]*/.exec(policy)?.[0] ?? '', /unsafe-inline/)
  })

  it('has a service worker that gives every answer made of a trace a policy', async () => {
    const { headers, body } = await app.inject('/trace-viewer/sw.bundle.js')
    assert.match(String(headers['content-type']), /javascript/)
    assert.equal(headers['cache-control'], 'no-cache')
    assert.ok(body.indexOf('FetchEvent.prototype.respondWith =') < body.indexOf('addEventListener'))
    assert.doesNotThrow(() => new Script(body))
  })

  it('lets browsers keep files with a content hash, and serves nothing outside its folder', async () => {
    const { body } = await app.inject('/trace-viewer/index.html')
    const [, script] = /src="\.\/(index\.[\w-]+\.js)"/.exec(body) ?? []
    const answer = await app.inject(`/trace-viewer/${script}`)
    assert.equal(answer.statusCode, 200)
    assert.match(String(answer.headers['cache-control']), /immutable/)
    for (const path of ['../../../package.json', '..%2f..%2f..%2fpackage.json', 'none.js', 'assets']) {
      assert.notEqual((await app.inject(`/trace-viewer/${path}`)).statusCode, 200, path)
    }
  })
})
