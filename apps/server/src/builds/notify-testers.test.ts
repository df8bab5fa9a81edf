import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Mail } from '@fairlead/contract'
import { openDatabase } from '../db/open.ts'
import { type ReceivedMail, startMailServer } from '../testing/mail-server.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
import { uploadApk } from '../testing/upload.ts'

const notes = `# What is new

- **Faster** start, see [the report](https://example.com/report)
- <script>alert(1)</script>
- [click](javascript:alert(1)) ![spy](https://spy.example/pixel.png)`

async function createGroup(server: TestServer, name: string, emails: string[]): Promise<void> {
  const group = await server.call('POST', '/v1/distributionGroups', { json: { name } })
  const testers = await server.call('POST', `/v1/distributionGroups/${group.json.id}/testers`, { json: { emails } })
  assert.equal(testers.status, 201, testers.text)
}

async function createShop(server: TestServer): Promise<void> {
  await server.call('POST', '/v1/applications', { json: { name: 'Shop', alias: 'shop', platform: 'android' } })
}

describe('Distributing with mail', () => {
  it('sends each tester one mail with the release notes and a personal link that counts their installs', async () => {
    await using mailServer = await startMailServer()
    await using server = await startServer({ FAIRLEAD_SMTP_URL: mailServer.url })
    await createShop(server)
    await createGroup(server, 'Inside', ['ada@example.com', 'Bob <bob@example.com>'])
    await createGroup(server, 'Outside', ['BOB@example.com', 'carol@example.com'])
    const build = await uploadApk(server, { alias: 'shop', apk: { label: 'Shop <b>&' } })
    await server.call('PATCH', `/v2/builds/${build.id}`, { json: { releaseNotes: notes } })

    const distribute = (distributionGroupNames: string[]) =>
      server.call('POST', `/v1/builds/${build.id}/distribute`, {
        json: { distributionGroupNames, notifyTesters: true },
      })
    assert.equal((await distribute(['Inside', 'Outside'])).status, 201)
    const mails = new Map<string, ReceivedMail>()
    for (const name of ['ada', 'bob', 'carol']) {
      mails.set(name, await mailServer.waitForMail(`${name}@example.com`))
    }
    assert.equal(mailServer.mails.length, 0)

    const { raw = '', decoded: mail = '' } = mails.get('bob') ?? {}
    assert.match(mail, /^Subject: Shop <b>& 1\.0 \(1\) is ready to test\r$/m)
    const html = mail.slice(mail.indexOf('<!doctype html>'))
    assert.match(html, /<h1[^>]*>Shop &lt;b&gt;&amp;<\/h1>/)
    assert.match(html, /<strong>Faster<\/strong>/)
    assert.match(html, /<a href="https:\/\/example\.com\/report"/)
    assert.match(html, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/)
    assert.ok(!html.includes('href="javascript:'))
    assert.match(html, /<img\s+src="cid:icon@localhost"/)
    assert.match(mail, /^Content-ID: <icon@localhost>\r$/im)
    const { bytes: icon } = await server.call('GET', new URL(build.iconUrl ?? '').pathname, { token: null })
    assert.ok(raw.replaceAll('\r\n', '').includes(icon.toString('base64')), 'the icon travels in the mail')
    assert.ok(!html.includes('<img src="https://spy'))

    const links = [...mails.values()].map(
      ({ decoded }) => /http\S+\/install\/[^\s"]+\/for\/[\w.-]+/.exec(decoded)?.[0] ?? '',
    )
    assert.equal(new Set(links).size, 3)
    await installOver(server, links[1] ?? '')
    const statistics = (await server.call('GET', `/v1/builds/${build.id}/installs?days=7`)).json
    assert.equal(statistics.days.length, 7)
    assert.deepEqual(statistics.days.at(-1), {
      date: new Date().toISOString().slice(0, 10),
      installs: 1,
      downloads: 0,
    })
    assert.deepEqual(
      statistics.testers.map(({ email, count }: { email: string; count: number }) => [email, count]),
      [['bob@example.com', 1]],
    )
  })

  it('stores long release notes once for all testers, and shows them in each mail', async () => {
    await using server = await startServer()
    await createShop(server)
    const emails = Array.from({ length: 100 }, (_, index) => `tester-${index}@example.com`)
    await createGroup(server, 'All', emails)
    const build = await uploadApk(server, { alias: 'shop' })
    const releaseNotes = `**Fixed** $& [release notes] <!-- release notes -->\n${'a.co '.repeat(1900)}`
    await server.call('PATCH', `/v2/builds/${build.id}`, { json: { releaseNotes } })
    await server.call('POST', `/v1/builds/${build.id}/distribute`, {
      json: { distributionGroupNames: ['All'], notifyTesters: true },
    })
    for (const query of ['', '?limit=200']) {
      const mails: Mail[] = (await server.call('GET', `/v1/mails${query}`)).json
      assert.equal(mails.length, 100)
      for (const { html, text } of mails) {
        assert.match(html, /<strong>Fixed<\/strong> \$&amp; \[release notes\] &lt;!-- release notes --&gt;/)
        assert.ok(text.endsWith(releaseNotes))
        assert.match(text, /^Install it: http\S+$/m)
      }
    }
    const { db } = await openDatabase({ databaseUrl: server.databaseUrl, dataDir: server.dataDir })
    await using _close = { [Symbol.asyncDispose]: () => db.destroy() }
    const rows = await db.selectFrom('mails').select(['text', 'html']).execute()
    assert.ok(rows.every(({ text, html }) => text.length + html.length < 4000))
  })

  it('limits the release notes that are shown, however often they refer to a long address', async () => {
    await using server = await startServer()
    await createShop(server)
    await createGroup(server, 'All', ['ada@example.com'])
    const build = await uploadApk(server, { alias: 'shop' })
    const address = `https://example.com/${'x'.repeat(30_000)}`
    const releaseNotes = `[a]: ${address}\n\n${'[a] '.repeat(7000)}`
    assert.equal((await server.call('PATCH', `/v2/builds/${build.id}`, { json: { releaseNotes } })).status, 200)
    const page = await server.call('GET', new URL(build.installUrl).pathname, { token: null })
    assert.equal(page.status, 200)
    assert.ok(page.text.length < 500_000, `${page.text.length}`)
  })

  it('queues the mails of a large distribution in batches, one for each tester', async () => {
    await using server = await startServer()
    await createShop(server)
    const emails = Array.from({ length: 350 }, (_, index) => `tester${index}@example.com`)
    await createGroup(server, 'Even', emails.slice(0, 250))
    await createGroup(server, 'Odd', emails.slice(100))
    const build = await uploadApk(server, { alias: 'shop' })
    const distribute = (name: string) =>
      server.call('POST', `/v1/builds/${build.id}/distribute`, {
        json: { distributionGroupNames: [name], notifyTesters: true },
      })
    const answers = await Promise.all([distribute('Even'), distribute('Odd')])
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
    const recipients = await waitForMails(server, emails.length)
    assert.deepEqual(new Set(recipients), new Set(emails))
  })

  it('mails nobody twice, but mails testers who joined since', async () => {
    await using server = await startServer()
    await createShop(server)
    await createGroup(server, 'Inside', ['ada@example.com'])
    const build = await uploadApk(server, { alias: 'shop' })
    const distribute = (notifyTesters?: boolean) =>
      server.call('POST', `/v1/builds/${build.id}/distribute`, {
        json: { distributionGroupNames: ['inside'], notifyTesters },
      })
    const readRecipients = async () =>
      (await server.call('GET', '/v1/mails')).json.map(({ recipient }: { recipient: string }) => recipient)
    await distribute()
    assert.deepEqual(await readRecipients(), [])
    await Promise.all([distribute(true), distribute(true), distribute(true)])
    assert.deepEqual(await readRecipients(), ['ada@example.com'])
    const [group] = (await server.call('GET', '/v1/distributionGroups')).json
    const json = { emails: Array.from({ length: 250 }, (_, index) => `tester-${index}@example.com`) }
    await server.call('POST', `/v1/distributionGroups/${group.id}/testers`, { json })
    await distribute(true)
    const recipients = await waitForMails(server, 251)
    assert.equal(new Set(recipients).size, 251)
  })
})

/** Does what a phone does: opens the page and follows its link to the binary. */
async function installOver(server: TestServer, link: string): Promise<void> {
  const asPhone = { token: null, headers: { 'User-Agent': 'Mozilla/5.0 (Linux; Android 15; Pixel 9)' } }
  const page = await server.call('GET', new URL(link).pathname, asPhone)
  assert.equal(page.status, 200)
  const binary = /href="([^"]+\/binary\/[^"]+)"/.exec(page.text)?.[1] ?? ''
  assert.equal((await server.call('GET', new URL(binary, server.url).pathname, asPhone)).status, 200)
}

/** Waits until the outbox holds this many mails and returns their recipients. */
async function waitForMails(server: TestServer, count: number): Promise<string[]> {
  for (let waited = 0; ; waited++) {
    const mails: { recipient: string }[] = (await server.call('GET', '/v1/mails')).json
    if (mails.length >= count || waited === 200) {
      assert.equal(mails.length, count)
      return mails.map(({ recipient }) => recipient)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
