import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createClient, type Retry } from '../src/index.ts'
import { answer, hangUp, startScriptedServer, staySilent } from './scripted-server.ts'

const soon = { 'Retry-After': '0' }

describe('a request that fails temporarily', () => {
  it('is sent again after a broken connection, and after 502, 503 and 504', async () => {
    const retries: Retry[] = []
    await using server = await startScriptedServer(
      hangUp,
      answer(503, '', soon),
      answer(502, '', soon),
      answer(200, { id: 7 }),
    )
    const client = createClient({ baseUrl: server.url, onRetry: (retry) => retries.push(retry) })
    assert.equal((await client.builds.get(7)).id, 7)
    assert.deepEqual(
      retries.map(({ error, attempt }) => [error.httpStatus, attempt]),
      [
        [0, 1],
        [503, 2],
        [502, 3],
      ],
    )
  })

  it('waits as long as Retry-After says, and gives up at once when that is too long', async () => {
    const retries: Retry[] = []
    await using server = await startScriptedServer(answer(429, '', { 'Retry-After': '1' }), answer(200, []))
    const client = createClient({ baseUrl: server.url, onRetry: (retry) => retries.push(retry) })
    assert.deepEqual(await client.applications.list(), [])
    assert.equal(retries[0]?.delayMs, 1000)
    await using busy = await startScriptedServer(answer(429, '', { 'Retry-After': '3600' }))
    await assert.rejects(createClient({ baseUrl: busy.url }).applications.list(), {
      httpStatus: 429,
      retryAfterMs: 3_600_000,
    })
    assert.equal(busy.seen.length, 1)
  })

  it('is not sent again when it may have been carried out and cannot be repeated', async () => {
    await using server = await startScriptedServer(hangUp)
    const client = createClient({ baseUrl: server.url })
    const body = { name: 'Shop', alias: 'shop', platform: 'android' as const }
    await assert.rejects(client.applications.create(body), { httpStatus: 0 })
    await using gateway = await startScriptedServer(answer(504, '', soon), answer(201, ''))
    const groups = { distributionGroupNames: ['QA'] }
    const distributing = createClient({ baseUrl: gateway.url }).builds
    await assert.rejects(distributing.distribute(1, { ...groups, notifyTesters: true }), { httpStatus: 504 })
    await distributing.distribute(1, groups)
    assert.equal(gateway.seen.length, 2)
  })

  it('is not sent again when the server refused it for good', async () => {
    await using server = await startScriptedServer(answer(500, ''), answer(200, []))
    await assert.rejects(createClient({ baseUrl: server.url }).applications.list(), { httpStatus: 500 })
    assert.equal(server.seen.length, 1)
  })

  it('succeeds if it is a deletion whose answer was lost and whose retry is answered with 404', async () => {
    await using server = await startScriptedServer(hangUp, answer(404, ''))
    await createClient({ baseUrl: server.url }).builds.remove(3)
    await assert.rejects(createClient({ baseUrl: server.url }).builds.remove(3), { httpStatus: 404 })
  })

  it('fails when the server says nothing for too long', async () => {
    await using server = await startScriptedServer(staySilent)
    const client = createClient({ baseUrl: server.url, idleTimeoutMs: 50, retries: 0 })
    await assert.rejects(client.applications.list(), { httpStatus: 0, detail: /said nothing/ })
  })

  it('stops waiting when it is aborted', async () => {
    await using server = await startScriptedServer(answer(503, '', { 'Retry-After': '60' }))
    const abort = new AbortController()
    const client = createClient({ baseUrl: server.url, onRetry: () => abort.abort(new Error('enough')) })
    await assert.rejects(client.applications.list({ signal: abort.signal }), { message: 'enough' })
  })
})
