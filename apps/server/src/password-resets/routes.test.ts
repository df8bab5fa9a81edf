import assert from 'node:assert/strict'
import { describe, it, mock } from 'node:test'
import { openDatabase } from '../db/open.ts'
import { join, password, signIn } from '../testing/browser.ts'
import { startMailServer } from '../testing/mail-server.ts'
import { startServer } from '../testing/start-server.ts'

const request = (email: string) => ({ token: null, json: { email } })

describe('Password resets', () => {
  it('are mailed, work once and end every session', async () => {
    await using mailServer = await startMailServer()
    await using server = await startServer({ FAIRLEAD_SMTP_URL: mailServer.url })
    const ada = await join(server, { email: 'ada@example.com', role: 'admin', mailServer })

    const [known, unknown] = await Promise.all([
      server.call('POST', '/v1/passwordResets', request('ADA@example.com')),
      server.call('POST', '/v1/passwordResets', request('nobody@example.com')),
    ])
    assert.deepEqual([known.status, known.text], [202, ''])
    assert.deepEqual([unknown.status, unknown.text], [202, ''])

    const { decoded } = await mailServer.waitForMail('ada@example.com')
    const token = /\/reset\?token=([\w-]{43})/.exec(decoded)?.[1] ?? ''
    const redeem = (secret: string) =>
      server.call('POST', '/v1/passwordResets/redeem', {
        token: null,
        json: { token: secret, password: 'a new horse' },
      })
    assert.equal((await redeem('x'.repeat(43))).status, 404)
    const answers = await Promise.all([redeem(token), redeem(token)])
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [204, 404],
    )
    assert.equal((await ada.call('GET', '/v1/session')).status, 401)
    await signIn(server, 'ada@example.com', 'a new horse')
    const mails = await server.call('GET', '/v1/mails')
    assert.ok(!mails.text.includes(token), 'no administrator may read the link')
    assert.equal(mailServer.mails.length, 0, 'nobody else got one')
  })

  it('cannot be requested when there is no mail server', async () => {
    await using server = await startServer()
    await join(server, { email: 'ada@example.com', role: 'admin' })
    const log = mock.method(console, 'log', () => {})
    assert.equal((await server.call('POST', '/v1/passwordResets', request('ada@example.com'))).status, 202)
    const { db } = await openDatabase(server)
    assert.deepEqual(await db.selectFrom('jobs').select('id').where('kind', '=', 'reset-password').execute(), [])
    assert.deepEqual(await db.selectFrom('password_resets').select('id').execute(), [])
    assert.equal(log.mock.callCount(), 0)
    log.mock.restore()
    await db.destroy()
  })

  it('keep nobody from signing in, however many are requested', async () => {
    await using mailServer = await startMailServer()
    await using server = await startServer({ FAIRLEAD_SMTP_URL: mailServer.url })
    await join(server, { email: 'ada@example.com', role: 'admin', mailServer })
    for (let count = 0; count < 120; count++) {
      await server.call('POST', '/v1/passwordResets', request(`nobody-${count}@example.com`))
    }
    await signIn(server, 'ada@example.com')
  })

  it('are rate limited', async () => {
    await using mailServer = await startMailServer()
    await using server = await startServer({ FAIRLEAD_SMTP_URL: mailServer.url })
    await join(server, { email: 'ada@example.com', role: 'admin', mailServer })
    for (let count = 0; count < 8; count++) {
      assert.equal((await server.call('POST', '/v1/passwordResets', request('ada@example.com'))).status, 202)
    }
    for (let count = 0; count < 5; count++) await mailServer.waitForMail('ada@example.com')
    await signIn(server, 'ada@example.com', password)
    assert.equal(mailServer.mails.length, 0)
  })
})
