import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { join } from '../testing/browser.ts'
import { startServer } from '../testing/start-server.ts'
import { userAgents } from '../testing/user-agents.ts'

describe('the check of the base URL', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())

  it('is passed by a phone that opens its page', async () => {
    const before = (await server.call('GET', '/v1/baseUrl')).json
    assert.equal(new URL(before.baseUrl).port, new URL(server.url).port)
    assert.deepEqual([before.isLocal, before.isSecure], [true, false])
    assert.deepEqual([before.checkedDate, before.checkedDevice], [null, null])
    const refused = await fetch(`${server.url}/install/check/${'A'.repeat(22)}`)
    assert.equal(refused.status, 404)
    assert.equal((await server.call('GET', '/v1/baseUrl')).json.checkedDate, null)
    const page = await fetch(before.checkUrl, { headers: { 'User-Agent': userAgents.android } })
    assert.equal(page.status, 200)
    assert.match(await page.text(), /This device reaches Fairlead/)
    const passed = (await server.call('GET', '/v1/baseUrl')).json
    assert.equal(passed.checkedDevice, 'android')
    assert.ok(Date.parse(passed.checkedDate) > Date.now() - 60_000)
  })

  it('can be read by every member, and by nobody else', async () => {
    const vera = await join(server, { email: 'vera@example.com', role: 'viewer' })
    assert.equal((await vera.call('GET', '/v1/baseUrl')).status, 200)
    assert.equal((await server.call('GET', '/v1/baseUrl', { token: null })).status, 401)
  })
})
