import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, describe, it } from 'node:test'
import fastify from 'fastify'
import { listLinks, openInstallPage } from '../testing/open-install-page.ts'
import { startServer } from '../testing/start-server.ts'
import { createApplication, uploadApk } from '../testing/upload.ts'
import type { App } from './app.ts'
import { compressJson } from './compress-json.ts'
import { createKeptAnswers, keepAnswers, replayAnswers } from './replay-answers.ts'

interface Seen {
  status: number | undefined
  /** Without the date. */
  head: string[]
  body: string
}

/** Sends exactly the given headers, unlike `fetch`, which adds its own. */
function send(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { 'x-service-token': 'one', ...headers } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const { statusCode, rawHeaders } = response
        const head = rawHeaders.filter((_, index) => rawHeaders[index & ~1] !== 'Date')
        resolve({ status: statusCode, head, body: Buffer.concat(chunks).toString('latin1') })
      })
    })
    sent.once('error', reject)
    sent.end(method === 'GET' && 'content-length' in headers ? '{}' : '')
  })
}

describe('a kept answer', async () => {
  const state = {
    writes: 0,
    calls: 0,
    counted: [] as string[],
    mayReplay: true,
    holdsUntil: Infinity,
    check: (isCurrent: boolean): boolean | Promise<boolean> => isCurrent,
  }
  const kept = createKeptAnswers()
  const app: App = fastify()
  void app.register(async (api: App) => {
    api.addHook('onRequest', (_request, reply, done) => {
      reply.header('x-content-type-options', 'nosniff')
      done()
    })
    await compressJson(api)
    keepAnswers(api, kept, undefined)
    api.addHook('onRequest', (incoming, _reply, done) => {
      const caller = { workspaceId: 1, role: 'viewer', name: 'ci', accountId: null, apiTokenId: 1 } as const
      incoming.caller = { ...caller, knownUntil: incoming.headers['x-service-token'] === 'expired' ? 1 : Infinity }
      done()
    })
    api.get<{ Params: { id: string } }>('/things/:id', (incoming, reply) => {
      const { writes } = state
      const isCurrent = () => state.check(state.writes === writes)
      incoming.answerHold = { until: state.holdsUntil, isCurrent }
      reply.type('application/json; charset=utf-8').header('x-total-count', 7)
      if (incoming.params.id === 'missing') reply.code(404)
      reply.send(Buffer.from(JSON.stringify({ call: ++state.calls, text: 'täst '.repeat(300) })))
    })
  })
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  after(() => app.close())
  replayAnswers(app, {
    kept,
    trustsProxies: false,
    mayReplay: () => state.mayReplay,
    count: (route, seconds) => state.counted.push(`${route} ${seconds >= 0 && seconds < 60}`),
  })
  const things = `${base}/things`
  const url = `${things}/1`
  /** Sends a request twice and tells whether the second answer was the kept one. */
  const isReplayed = async (...options: Parameters<typeof send>): Promise<boolean> => {
    await send(...options)
    const before = state.calls
    await send(...options)
    return state.calls === before
  }

  it('is sent again with the same bytes and headers, and is counted with its route', async () => {
    for (const encoding of ['identity', 'gzip']) {
      const first = await send(url, { 'accept-encoding': encoding })
      const { calls } = state
      state.counted = []
      assert.deepEqual(await send(url, { 'accept-encoding': encoding }), first)
      assert.equal(state.calls, calls)
      assert.equal(first.head.includes('gzip'), encoding === 'gzip')
      assert.deepEqual(state.counted, ['/things/:id true'])
    }
  })

  it('is for one address, one encoding and one token', async () => {
    const answers = [
      await send(url),
      await send(`${url}?limit=2`),
      await send(url, { 'accept-encoding': 'gzip' }),
      await send(url, { 'x-service-token': 'two' }),
    ]
    assert.equal(new Set(answers.map(({ body }) => body)).size, 4)
  })

  it('is not sent when it is no longer current', async () => {
    const before = await send(url)
    state.writes++
    assert.notEqual(await send(url).then(({ body }) => body), before.body)
  })

  it('may be checked in a database, and is made anew when that fails', async () => {
    state.check = async (isCurrent) => isCurrent
    assert.equal(await isReplayed(url), true)
    const before = await send(url)
    state.writes++
    assert.notEqual(await send(url).then(({ body }) => body), before.body)
    state.check = async () => Promise.reject(new Error('the database is away'))
    assert.equal(await isReplayed(url), false)
    state.check = (isCurrent) => isCurrent
  })

  it('is not made of an error, or of an answer that holds no longer', async () => {
    assert.equal(await isReplayed(`${things}/missing`), false)
    assert.equal(await isReplayed(url, { 'x-service-token': 'expired' }), false)
    state.writes++
    state.holdsUntil = Date.now() - 1
    assert.equal(await isReplayed(url), false)
    state.holdsUntil = Infinity
  })

  it('is not sent to a request that is special, nor while it may be out of date', async () => {
    assert.equal(await isReplayed(url), true)
    assert.equal(await isReplayed(url, {}, 'HEAD'), false)
    for (const header of ['content-length', 'x-no-compression', 'x-forwarded-for']) {
      assert.equal(await isReplayed(url, { [header]: '2' }), false, header)
    }
    state.mayReplay = false
    assert.equal(await isReplayed(url), false)
    state.mayReplay = true
  })
})

describe('the answer about a build that a token asks for again', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const application = await createApplication(server, 'shop')
  const build = await uploadApk(server, { alias: 'shop' })
  const paths = [`/v1/builds/${build.id}`, `/v1/applications/${application.id}/builds?limit=5`]

  it('equals the first one, header by header', async () => {
    for (const path of paths) {
      for (const encoding of ['identity', 'gzip']) {
        const headers = { 'x-service-token': server.token, 'accept-encoding': encoding }
        // The first request may record that the token was used, and then nothing is kept.
        await send(server.url + path, headers)
        const first = await send(server.url + path, headers)
        assert.deepEqual(await send(server.url + path, headers), first)
        assert.equal(first.status, 200)
      }
    }
  })

  it('shows a change and a download at once', async () => {
    for (let round = 1; round <= 3; round++) {
      for (const path of paths) await server.call('GET', path)
      const notes = `notes ${round}`
      await server.call('PATCH', `/v2/builds/${build.id}`, { json: { releaseNotes: notes } })
      for (const path of paths) assert.match((await server.call('GET', path)).text, new RegExp(notes))
      const page = await openInstallPage(server, build.installUrl, { agent: 'windows' })
      await server.call('GET', listLinks(page.text)[0] ?? '', { token: null })
      assert.equal((await server.call('GET', `/v1/builds/${build.id}`)).json.installCount, round)
    }
  })

  it('is refused at once when the token is revoked', async () => {
    const { json } = await server.call('POST', '/v1/apiTokens', { json: { name: 'short', role: 'viewer' } })
    for (let count = 0; count < 3; count++) {
      for (const path of paths) assert.equal((await server.call('GET', path, { token: json.token })).status, 200)
    }
    await server.call('DELETE', `/v1/apiTokens/${json.id}`)
    for (const path of paths) assert.equal((await server.call('GET', path, { token: json.token })).status, 401)
  })

  it('is counted in the metrics', async () => {
    const count = async () => {
      const { text } = await server.call('GET', '/metrics')
      const route = /fairlead_http_requests_total\{method="GET",route="\/v1\/builds\/:buildId",status="200"\} (\d+)/
      return Number(route.exec(text)?.[1])
    }
    const before = await count()
    for (let asked = 0; asked < 5; asked++) await server.call('GET', `/v1/builds/${build.id}`)
    assert.equal(await count(), before + 5)
  })
})
