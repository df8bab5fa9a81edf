import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Browser, invite, join, password } from '../testing/browser.ts'
import { createSecondWorkspace } from '../testing/second-workspace.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'

describe('Members', () => {
  let server: TestServer
  let ada: Browser
  let bob: Browser

  before(async () => {
    server = await startServer()
    ada = await join(server, { email: 'ada@example.com', role: 'admin' })
    bob = await join(server, { email: 'bob@example.com', role: 'viewer' })
  })
  after(() => server[Symbol.asyncDispose]())

  const path = (browser: Browser) => `/v1/members/${browser.session?.account.id}`
  const setRole = (of: Browser, role: string) => ada.call('PATCH', path(of), { json: { role } })

  it('can get another role, which takes effect immediately', async () => {
    assert.equal((await bob.call('GET', '/v1/mails')).status, 403)
    assert.equal((await setRole(bob, 'admin')).json.role, 'admin')
    assert.equal((await bob.call('GET', '/v1/mails')).status, 200)
    assert.equal((await setRole(bob, 'emperor')).status, 400)
    assert.equal((await setRole(bob, 'viewer')).json.role, 'viewer')
  })

  it('always include an administrator', async () => {
    assert.equal((await setRole(ada, 'viewer')).status, 409)
    assert.equal((await ada.call('DELETE', path(ada))).status, 409)
    assert.equal((await setRole(ada, 'admin')).status, 200)
  })

  it('keep one administrator when all of them leave at the same time', async () => {
    const others = []
    for (const name of ['carol', 'dave', 'erin']) {
      others.push(await join(server, { email: `${name}@example.com`, role: 'admin' }))
    }
    const everybody = [ada, ...others]
    const answers = await Promise.all(everybody.map((browser) => browser.call('DELETE', path(browser))))
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [204, 204, 204, 409],
    )
    const members: { role: string }[] = (await server.call('GET', '/v1/members')).json
    assert.equal(members.filter(({ role }) => role === 'admin').length, 1)
    const gone = everybody[answers.findIndex(({ status }) => status === 204)]
    assert.equal((await gone?.call('GET', '/v1/applications'))?.status, 401)
    assert.equal((await gone?.call('GET', '/v1/session'))?.status, 401)
  })

  it('cannot sign in after they leave their last workspace, until they are invited again', async () => {
    const frank = await join(server, { email: 'frank@example.com', role: 'admin' })
    assert.equal((await server.call('DELETE', path(frank))).status, 204)
    const again = () =>
      server.call('POST', '/v1/session', { token: null, json: { email: 'frank@example.com', password } })
    assert.equal((await again()).status, 403)
    assert.equal((await frank.call('POST', '/v1/workspaces', { json: { name: 'Own' } })).status, 401)
    const token = await invite(server, { email: 'frank@example.com', role: 'viewer' })
    const joined = await frank.call('POST', '/v1/invitations/accept', { json: { token, password } })
    assert.equal(joined.status, 201)
    assert.equal((await again()).status, 201)
  })

  it('cannot be changed or removed by another workspace', async () => {
    const token = await createSecondWorkspace(server)
    const json = { role: 'admin' }
    assert.equal((await server.call('PATCH', path(bob), { token, json })).status, 404)
    assert.equal((await server.call('DELETE', path(bob), { token })).status, 404)
    assert.deepEqual((await server.call('GET', '/v1/members', { token })).json, [])
    assert.equal((await server.call('DELETE', '/v1/members/nobody')).status, 404)
  })
})
