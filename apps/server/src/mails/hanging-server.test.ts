import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Mail } from '@fairlead/contract'
import { invite } from '../testing/browser.ts'
import { createCrashApplication, deliver, waitUntilRead } from '../testing/crashes.ts'
import { type MailServer, startMailServer, type StalledStep } from '../testing/mail-server.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'

/** Half a second, so that the tests need not wait as long as the server does by default. */
const impatience = '?connectionTimeout=500&greetingTimeout=500&socketTimeout=500'

async function waitForOutbox(server: TestServer, isReached: (mails: Mail[]) => boolean): Promise<Mail[]> {
  for (let waited = 0; waited < 400; waited++) {
    const mails: Mail[] = (await server.call('GET', '/v1/mails')).json
    if (isReached(mails)) return mails
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('the outbox did not reach the expected state within ten seconds')
}

async function inviteMany(server: TestServer, count: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    await invite(server, { email: `person-${number}@example.com`, role: 'viewer' })
  }
}

/** Counts the mails that the mail server took responsibility for, by recipient. */
function countAccepted({ mails }: MailServer): Record<string, number> {
  const recipients = Object.groupBy(mails, ({ recipients }) => recipients.join())
  return Object.fromEntries(Object.entries(recipients).map(([name, own = []]) => [name, own.length]))
}

describe('a mail server that hangs', () => {
  for (const step of ['greeting', 'data'] as const satisfies StalledStep[]) {
    it(`gets each mail exactly once after it hung at the ${step}`, async () => {
      await using mailServer = await startMailServer()
      await using server = await startServer({ FAIRLEAD_SMTP_URL: mailServer.url + impatience })
      mailServer.stallAt(step, step)
      await inviteMany(server, 3)
      const mails = await waitForOutbox(server, (all) => all.every(({ status }) => status === 'sent'))
      assert.deepEqual(
        mails.map(({ error }) => error),
        [null, null, null],
      )
      assert.deepEqual(countAccepted(mailServer), {
        'person-0@example.com': 1,
        'person-1@example.com': 1,
        'person-2@example.com': 1,
      })
    })
  }

  it('is named as the reason in the outbox, and no mail is lost', async () => {
    await using mailServer = await startMailServer()
    await using server = await startServer({ FAIRLEAD_SMTP_URL: mailServer.url + impatience })
    mailServer.stallAlways()
    await inviteMany(server, 1)
    const [mail] = await waitForOutbox(server, ([first]) => first?.error !== null)
    assert.equal(mail?.status, 'waiting')
    assert.match(mail?.error ?? '', /greeting|timeout/i)
  })

  it('delays neither other jobs nor the shutdown', async () => {
    await using mailServer = await startMailServer()
    mailServer.stallAlways()
    await using server = await startServer({ FAIRLEAD_SMTP_URL: mailServer.url })
    await inviteMany(server, 8)
    const application = await createCrashApplication(server, 'shop')
    const sent = await deliver(
      server,
      application,
      'raw',
      'java.lang.IllegalStateException: boom\n\tat a.b.c(D.java:1)',
    )
    assert.equal(sent.status, 202)
    // A mail hangs for fifteen seconds.
    await waitUntilRead(server, application.id)
    const mails = await waitForOutbox(server, () => true)
    assert.ok(
      mails.every(({ status, error }) => status === 'waiting' && error === null),
      'they still hang',
    )
    const began = Date.now()
    await server[Symbol.asyncDispose]()
    // A mail in progress has five seconds to end.
    assert.ok(Date.now() - began < 12_000, `the shutdown took ${Date.now() - began} ms`)
  })
})
