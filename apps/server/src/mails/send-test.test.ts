import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startMailServer } from '../testing/mail-server.ts'
import { startServer } from '../testing/start-server.ts'
import { createSecondWorkspace } from '../testing/second-workspace.ts'

describe('a test mail', () => {
  const json = { recipient: 'ada@example.com' }

  it('arrives, and stands in the outbox and in the audit log of its workspace', async () => {
    await using mailServer = await startMailServer()
    await using server = await startServer({ FAIRLEAD_SMTP_URL: mailServer.url })
    const sent = await server.call('POST', '/v1/mails/test', { json })
    assert.equal(sent.status, 202, sent.text)
    const mail = await mailServer.waitForMail('ada@example.com')
    assert.match(mail.decoded, /Mails from Fairlead arrive/)
    const stranger = await createSecondWorkspace(server)
    assert.equal((await server.call('GET', `/v1/mails/${sent.json.id}`)).json.recipient, 'ada@example.com')
    assert.equal((await server.call('GET', `/v1/mails/${sent.json.id}`, { token: stranger })).status, 404)
    const events = await server.call('GET', '/v1/auditEvents?action=mail.test')
    assert.equal(events.json.length, 1, events.text)
    for (const wrong of [{}, { recipient: 'nobody' }]) {
      assert.equal((await server.call('POST', '/v1/mails/test', { json: wrong })).status, 400)
    }
    const ci = await server.call('POST', '/v1/apiTokens', { json: { name: 'ci', role: 'developer' } })
    assert.equal((await server.call('POST', '/v1/mails/test', { token: ci.json.token, json })).status, 403)
  })

  it('is refused without a mail server', async () => {
    await using server = await startServer()
    const answer = await server.call('POST', '/v1/mails/test', { json })
    assert.deepEqual([answer.status, answer.json.title], [409, 'Conflict'], answer.text)
  })
})
