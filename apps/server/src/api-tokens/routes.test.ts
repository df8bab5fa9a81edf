import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { join } from '../testing/browser.ts'
import { startServer } from '../testing/start-server.ts'

describe('API tokens', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())

  const create = async (role: string, expirationDate?: string) => {
    const answer = await server.call('POST', '/v1/apiTokens', { json: { name: `a ${role}`, role, expirationDate } })
    assert.equal(answer.status, 201, answer.text)
    const created: { id: number; token: string } = answer.json
    return created
  }

  it("are refused with the contract's message when missing, wrong or malformed", async () => {
    for (const token of [null, '', 'fl_', 'nonsense', `fl_${'x'.repeat(43)}`, "' or 1=1 --"]) {
      const answer = await server.call('GET', '/v1/applications', { token })
      assert.equal(answer.status, 401)
      assert.match(answer.json.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.deepEqual(answer.json, {
        id: answer.json.id,
        httpStatus: 401,
        title: 'Unauthorized',
        detail: 'The X-Service-Token header is invalid or missing',
      })
    }
  })

  it('are returned once at creation and listed without their secret', async () => {
    const { id, token } = await create('viewer')
    assert.match(token, /^fl_[A-Za-z0-9_-]{43}$/)
    const list = await server.call('GET', '/v1/apiTokens')
    assert.ok(list.json.some((entry: { id: number }) => entry.id === id))
    assert.ok(!list.text.includes(token))
  })

  it('record when they were last used', async () => {
    const { id, token } = await create('viewer')
    await server.call('GET', '/v1/applications', { token })
    const list = await server.call('GET', '/v1/apiTokens')
    const entry = list.json.find((one: { id: number }) => one.id === id)
    assert.ok(Date.now() - Date.parse(entry.lastUsedDate) < 60_000)
  })

  it('stop working immediately after they are revoked', async () => {
    const { id, token } = await create('developer')
    assert.equal((await server.call('GET', '/v1/applications', { token })).status, 200)
    assert.equal((await server.call('DELETE', `/v1/apiTokens/${id}`)).status, 204)
    assert.equal((await server.call('GET', '/v1/applications', { token })).status, 401)
    assert.equal((await server.call('DELETE', `/v1/apiTokens/${id}`)).status, 404)
  })

  it('say who made them', async () => {
    await create('viewer')
    const ada = await join(server, { email: 'ada@example.com', role: 'admin' })
    await ada.call('POST', '/v1/apiTokens', { json: { name: 'by Ada', role: 'viewer' } })
    const [byAda, byToken] = (await server.call('GET', '/v1/apiTokens')).json
    assert.equal(byAda.createdBy, 'ada')
    assert.equal(byToken.createdBy, 'initial token')
  })

  it('stop working after they expire', async () => {
    const { token } = await create('viewer', new Date(Date.now() + 400).toISOString())
    assert.equal((await server.call('GET', '/v1/applications', { token })).status, 200)
    await new Promise((resolve) => setTimeout(resolve, 450))
    assert.equal((await server.call('GET', '/v1/applications', { token })).status, 401)
    const past = await server.call('POST', '/v1/apiTokens', {
      json: { name: 'past', role: 'viewer', expirationDate: '2020-01-01T00:00:00Z' },
    })
    assert.equal(past.status, 400)
  })

  it('allow what their role allows and nothing more', async () => {
    const viewer = (await create('viewer')).token
    const developer = (await create('developer')).token
    const json = { name: 'X', alias: 'x', platform: 'ios' }
    const attempts = [
      { method: 'GET', path: '/v1/applications', viewer: 200, developer: 200 },
      { method: 'PATCH', path: '/v2/builds/1', viewer: 403, developer: 404 },
      { method: 'POST', path: '/v1/builds/1/distribute', viewer: 403, developer: 404 },
      { method: 'DELETE', path: '/v1/builds/1', viewer: 403, developer: 404 },
      { method: 'POST', path: '/v2/builds', viewer: 403, developer: 400 },
      { method: 'POST', path: '/v2/symbolsFiles', viewer: 403, developer: 400 },
      { method: 'POST', path: '/v1/applications', json, viewer: 403, developer: 403 },
      { method: 'GET', path: '/v1/apiTokens', viewer: 403, developer: 403 },
    ]
    for (const { method, path, viewer: forViewer, developer: forDeveloper, ...rest } of attempts) {
      assert.equal((await server.call(method, path, { token: viewer, ...rest })).status, forViewer, `${method} ${path}`)
      const answer = await server.call(method, path, { token: developer, ...rest })
      assert.equal(answer.status, forDeveloper, `${method} ${path}`)
    }
  })
})
