import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Mail } from '@fairlead/contract'
import { invite } from '../testing/browser.ts'
import { startMailServer } from '../testing/mail-server.ts'
import { createSecondWorkspace } from '../testing/second-workspace.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
import { createTestDatabase } from '../testing/test-database.ts'

async function readOutbox(server: TestServer): Promise<Mail[]> {
  const mails: Mail[] = (await server.call('GET', '/v1/mails')).json
  return mails
}

async function waitForOutcome(server: TestServer, isIt: (mail: Mail) => boolean): Promise<Mail> {
  for (let waited = 0; waited < 200; waited++) {
    const mail = (await readOutbox(server)).find(isIt)
    if (mail) return mail
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`not in the outbox: ${JSON.stringify(await readOutbox(server))}`)
}

describe('Mails', () => {
  it('are sent and marked as sent in the outbox', async () => {
    await using mailServer = await startMailServer()
    await using server = await startServer({
      FAIRLEAD_SMTP_URL: mailServer.url,
      FAIRLEAD_MAIL_FROM: 'Builds <builds@example.com>',
    })
    await invite(server, { email: 'ada@example.com', role: 'admin' })
    const { raw, decoded } = await mailServer.waitForMail('ada@example.com')
    assert.match(raw, /^From: Builds <builds@example.com>\r$/m)
    assert.match(raw, /^Message-ID: <fairlead-\d+-\d+@example.com>\r$/m)
    assert.match(decoded, /You are invited to default/)
    const mail = await waitForOutcome(server, ({ status }) => status === 'sent')
    assert.equal(mail.error, null)
    assert.ok(mail.sentDate)
    assert.equal((await server.call('POST', `/v1/mails/${mail.id}/retry`)).status, 409)
  })

  it('are retried after a temporary failure of the mail server', async () => {
    await using mailServer = await startMailServer()
    await using server = await startServer({ FAIRLEAD_SMTP_URL: mailServer.url })
    mailServer.refuseWith(451)
    await invite(server, { email: 'ada@example.com', role: 'admin' })
    const waiting = await waitForOutcome(server, ({ error }) => error !== null)
    assert.equal(waiting.status, 'waiting')
    assert.match(waiting.error ?? '', /refused by the test/)
    await mailServer.waitForMail('ada@example.com')
    assert.equal((await waitForOutcome(server, ({ status }) => status === 'sent')).error, null)
  })

  it('fail immediately when refused permanently, until an administrator retries them', async () => {
    await using mailServer = await startMailServer()
    await using server = await startServer({ FAIRLEAD_SMTP_URL: mailServer.url })
    mailServer.refuseWith(550)
    await invite(server, { email: 'ada@example.com', role: 'admin' })
    const failed = await waitForOutcome(server, ({ status }) => status === 'failed')
    assert.match(failed.error ?? '', /refused by the test/)
    const token = await createSecondWorkspace(server)
    assert.equal((await server.call('GET', `/v1/mails/${failed.id}`, { token })).status, 404)
    assert.equal((await server.call('POST', `/v1/mails/${failed.id}/retry`, { token })).status, 404)
    const retry = await server.call('POST', `/v1/mails/${failed.id}/retry`)
    assert.equal(retry.status, 202)
    await mailServer.waitForMail('ada@example.com')
    await waitForOutcome(server, ({ id, status }) => id === failed.id && status === 'sent')
  })

  it('wait in the outbox without a mail server', async () => {
    await using server = await startServer()
    const links = []
    for (const name of ['ada', 'bob', 'carol']) {
      links.push(await invite(server, { email: `${name}@example.com`, role: 'viewer' }))
    }
    const outbox = await readOutbox(server)
    assert.deepEqual(
      outbox.map(({ recipient, status }) => [recipient, status]),
      [
        ['carol@example.com', 'waiting'],
        ['bob@example.com', 'waiting'],
        ['ada@example.com', 'waiting'],
      ],
    )
    assert.ok(outbox[0]?.text.includes(links[2] ?? 'no link'))
    assert.equal((await server.call('POST', `/v1/mails/${outbox[0]?.id}/retry`)).status, 409)
    const page = await server.call('GET', '/v1/mails?limit=2')
    assert.equal(page.headers.get('x-total-count'), '3')
    const cursor = /cursor=(\d+)/.exec(page.headers.get('link') ?? '')?.[1]
    const rest = await server.call('GET', `/v1/mails?limit=2&cursor=${cursor}`)
    assert.deepEqual(
      [...page.json, ...rest.json].map(({ id }: Mail) => id),
      outbox.map(({ id }) => id),
    )
  })

  it('are sent after a restart with a mail server, and wait again after a restart without one', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'fairlead-mails-'))
    const database = await createTestDatabase()
    const start = (environment = {}) =>
      startServer({
        FAIRLEAD_DATA_DIR: dataDir,
        ...(database.url !== null && { FAIRLEAD_DATABASE_URL: database.url }),
        ...environment,
      })
    {
      await using server = await start()
      await invite(server, { email: 'ada@example.com', role: 'admin' })
    }
    {
      await using mailServer = await startMailServer()
      await using server = await start({ FAIRLEAD_SMTP_URL: mailServer.url })
      await mailServer.waitForMail('ada@example.com')
      await waitForOutcome(server, ({ status }) => status === 'sent')
      mailServer.refuseWith(451, 451, 451, 451)
      await invite(server, { email: 'bob@example.com', role: 'viewer' })
      await waitForOutcome(server, ({ recipient, error }) => recipient === 'bob@example.com' && error !== null)
    }
    {
      await using server = await start()
      await new Promise((resolve) => setTimeout(resolve, 1500))
      const [mail] = await readOutbox(server)
      assert.equal(mail?.status, 'waiting')
      assert.match(mail?.error ?? '', /refused by the test/)
    }
    await database[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true })
  })

  it('show user input as text and never use it as a header', async () => {
    await using mailServer = await startMailServer()
    await using server = await startServer({ FAIRLEAD_SMTP_URL: mailServer.url })
    await server.call('PATCH', '/v1/workspace', { json: { name: '<img src=x onerror=alert(1)> "&amp;' } })
    await invite(server, { email: 'ada@example.com', role: 'admin' })
    const { decoded } = await mailServer.waitForMail('ada@example.com')
    const html = decoded.slice(decoded.indexOf('<!doctype html>'))
    assert.ok(!html.includes('<img'))
    assert.match(html, /&lt;img src=x onerror=alert\(1\)&gt; &quot;&amp;amp;/)
  })
})
