import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { join, password, signIn } from '../testing/browser.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'

describe('Accounts', () => {
  let server: TestServer

  before(async () => {
    server = await startServer()
    await join(server, { email: 'ada@example.com', role: 'admin' })
  })
  after(() => server[Symbol.asyncDispose]())

  it('can change their name', async () => {
    const ada = await signIn(server, 'ada@example.com')
    const answer = await ada.call('PATCH', '/v1/account', { json: { name: 'Ada Lovelace' } })
    assert.equal(answer.json.name, 'Ada Lovelace')
    assert.equal((await ada.call('GET', '/v1/session')).json.account.name, 'Ada Lovelace')
  })

  it('can change their password by giving the current one, which ends their other sessions', async () => {
    const [here, there] = [await signIn(server, 'ada@example.com'), await signIn(server, 'ada@example.com')]
    const change = (current: string, next: string) =>
      here.call('PATCH', '/v1/account', { json: { password: { current, next } } })
    const wrong = await change('wrong', 'another horse battery')
    assert.equal(wrong.status, 400)
    assert.deepEqual(wrong.json.errors, [{ source: '/password/current', detail: 'is wrong' }])
    assert.equal((await change(password, 'short')).status, 400)
    assert.equal((await change(password, 'another horse battery')).status, 200)
    assert.equal((await here.call('GET', '/v1/session')).status, 200)
    assert.equal((await there.call('GET', '/v1/session')).status, 401)
    const old = await server.call('POST', '/v1/session', { token: null, json: { email: 'ada@example.com', password } })
    assert.equal(old.status, 401)
    await signIn(server, 'ada@example.com', 'another horse battery')
  })
})
