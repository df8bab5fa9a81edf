import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Browser, join } from '../testing/browser.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'

describe('Workspaces', () => {
  let server: TestServer
  let vera: Browser

  before(async () => {
    server = await startServer()
    vera = await join(server, { email: 'vera@example.com', role: 'viewer' })
  })
  after(() => server[Symbol.asyncDispose]())

  it('have settings that all members can read and administrators can change', async () => {
    const before = (await vera.call('GET', '/v1/workspace')).json
    assert.equal(before.name, 'default')
    assert.equal(before.linkLifetimeDays, 90)
    assert.equal(before.retentionDays, null)
    assert.equal(before.agentWrites, false)
    const json = { name: 'Engines', linkLifetimeDays: 7, retentionDays: 30, agentWrites: true }
    assert.deepEqual((await server.call('PATCH', '/v1/workspace', { json })).json, { ...before, ...json })
    const kept = await server.call('PATCH', '/v1/workspace', { json: {} })
    assert.deepEqual(kept.json, { ...before, ...json })
    const off = await server.call('PATCH', '/v1/workspace', { json: { retentionDays: null } })
    assert.equal(off.json.retentionDays, null)
    for (const wrong of [{ linkLifetimeDays: 0 }, { retentionDays: 1.5 }, { name: '' }, { name: null }]) {
      assert.equal((await server.call('PATCH', '/v1/workspace', { json: wrong })).status, 400)
    }
  })

  it('can be created by administrators of a workspace, who then own them, and by nobody else', async () => {
    const json = { name: 'Ada at home' }
    assert.equal((await server.call('POST', '/v1/workspaces', { json })).status, 401)
    assert.equal((await vera.call('POST', '/v1/workspaces', { json })).status, 403)
    const ada = await join(server, { email: 'ada@example.com', role: 'admin' })
    const made = await ada.call('POST', '/v1/workspaces', { json })
    assert.equal(made.status, 201)
    ada.workspaceId = made.json.id
    const application = { name: 'shop', alias: 'shop', platform: 'android' }
    assert.equal((await ada.call('POST', '/v1/applications', { json: application })).status, 201)
    assert.deepEqual((await server.call('GET', '/v1/applications')).json, [])
  })
})
