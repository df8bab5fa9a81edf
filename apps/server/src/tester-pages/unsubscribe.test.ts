import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Build, Mail, Tester } from '@fairlead/contract'
import { type MailServer, startMailServer } from '../testing/mail-server.ts'
import { createSecondWorkspace } from '../testing/second-workspace.ts'
import { type Answer, startServer, type TestServer } from '../testing/start-server.ts'
import { createApplication, uploadApk } from '../testing/upload.ts'

const baseUrl = 'https://builds.example.com'

/** Returns the addresses that a mail names in its headers, its text and its HTML. */
function readLinks(mail: string) {
  const [head = '', body = ''] = mail.split(/\r\n\r\n([^]*)/, 2)
  const textEnd = body.indexOf('<!doctype html>')
  const [text, html] = [body.slice(0, textEnd), body.slice(textEnd)]
  const find = (pattern: RegExp) => ({ text: pattern.exec(text)?.[0], html: pattern.exec(html)?.[0] })
  return {
    header: /^List-Unsubscribe: <(\S+)>\r$/m.exec(head)?.[1] ?? '',
    post: /^List-Unsubscribe-Post: (.*)\r$/m.exec(head)?.[1],
    unsubscribe: find(/https:\/\/builds\.example\.com\/unsubscribe\/[\w.-]+/),
    page: find(/https:\/\/builds\.example\.com\/testers\/[\w.-]+/),
  }
}

describe('unsubscribing', () => {
  let server: TestServer
  let mailServer: MailServer
  let build: Build
  let groupId: number

  before(async () => {
    mailServer = await startMailServer()
    server = await startServer({ FAIRLEAD_BASE_URL: baseUrl, FAIRLEAD_SMTP_URL: mailServer.url })
    await createApplication(server, 'shop')
    groupId = (await server.call('POST', '/v1/distributionGroups', { json: { name: 'Beta' } })).json.id
    await add('Ada@example.com', 'bob@example.com')
    build = await uploadApk(server, { alias: 'shop' })
  })
  after(async () => {
    await server[Symbol.asyncDispose]()
    await mailServer[Symbol.asyncDispose]()
  })

  const add = async (...emails: string[]): Promise<Tester[]> =>
    (await server.call('POST', `/v1/distributionGroups/${groupId}/testers`, { json: { emails } })).json
  const tell = async (one: Build): Promise<void> => {
    const json = { distributionGroupIds: [groupId], notifyTesters: true }
    assert.equal((await server.call('POST', `/v1/builds/${one.id}/distribute`, { json })).status, 201)
  }
  const isUnsubscribed = async (email: string): Promise<boolean | undefined> => {
    const testers: Tester[] = (await server.call('GET', '/v1/testers')).json
    return testers.find((tester) => tester.email === email)?.isUnsubscribed
  }
  const call = (method: string, url: string, body?: string, type = 'application/x-www-form-urlencoded') =>
    server.call(method, new URL(url).pathname, {
      token: null,
      headers: { Accept: 'text/html', ...(body !== undefined && { 'Content-Type': type }) },
      ...(body !== undefined && { body }),
    })
  const oneClick = 'List-Unsubscribe=One-Click'
  let address: string

  it('is offered by every mail to a tester, in its headers, text and HTML, beside the tester’s page', async () => {
    await tell(build)
    const { decoded } = await mailServer.waitForMail('Ada@example.com')
    const links = readLinks(decoded)
    address = links.header
    assert.match(address, /^https:\/\/builds\.example\.com\/unsubscribe\/[\w.-]+$/)
    assert.equal(links.post, oneClick)
    assert.deepEqual(links.unsubscribe, { text: address, html: address })
    const [ada] = await add('ada@example.com')
    assert.deepEqual(links.page, { text: ada?.pageUrl, html: ada?.pageUrl })
    const other = readLinks((await mailServer.waitForMail('bob@example.com')).decoded)
    assert.notEqual(other.header, address)
    assert.notEqual(other.page.text, links.page.text)
  })

  it('is not offered by mails to accounts', async () => {
    await server.call('POST', '/v1/invitations', { json: { email: 'carol@example.com', role: 'viewer' } })
    assert.doesNotMatch((await mailServer.waitForMail('carol@example.com')).decoded, /unsubscribe/i)
  })

  it('does nothing when the address is only opened, as mail filters do', async () => {
    for (const method of ['GET', 'HEAD', 'GET']) {
      assert.equal((await call(method, address)).status, 200)
    }
    assert.match((await call('GET', address)).text, /tells ada@example\.com about new builds/)
    assert.equal(await isUnsubscribed('Ada@example.com'), false)
  })

  it('acts at once when a mail program posts it, without cookies, again and again, in both forms', async () => {
    const multipart = `--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n`
    const answers: Answer[] = [
      await call('POST', address, oneClick),
      await call('POST', address, oneClick),
      await call('POST', address, multipart, 'multipart/form-data; boundary=x'),
    ]
    for (const answer of answers) {
      assert.equal(answer.status, 200, answer.text)
      assert.match(answer.text, /sends no mails about builds to ada@example\.com/)
    }
    assert.equal(await isUnsubscribed('Ada@example.com'), true)
    assert.equal(await isUnsubscribed('bob@example.com'), false)
    const { json: events } = await server.call('GET', '/v1/auditEvents')
    const own = events.filter(({ action }: { action: string }) => action.startsWith('tester.unsub'))
    assert.deepEqual(
      own.map(({ actor, target }: { actor: { name: string }; target: string }) => [actor.name, target]),
      [['ada@example.com', '/unsubscribe']],
    )
  })

  it('stops the mails of the workspace, and holds when the address is added again or was deleted', async () => {
    const [ada] = await add('ADA@example.com')
    assert.equal(ada?.isUnsubscribed, true)
    await server.call('DELETE', `/v1/testers/${ada?.id}`)
    const [again] = await add('ada@example.com')
    assert.notEqual(again?.id, ada?.id)
    assert.equal(again?.isUnsubscribed, true)
    const next = await uploadApk(server, { alias: 'shop', apk: { versionCode: 2 } })
    await tell(next)
    await mailServer.waitForMail('bob@example.com')
    const mails: Mail[] = (await server.call('GET', '/v1/mails')).json
    assert.deepEqual(
      mails.filter(({ subject }) => subject.includes('(2)')).map(({ recipient }) => recipient),
      ['bob@example.com'],
    )
  })

  it('is taken back only by the tester, by an address of any mail', async () => {
    assert.match((await call('GET', address)).text, /Send these mails again/)
    assert.equal((await call('POST', address, 'subscribe=1')).status, 200)
    assert.equal((await call('POST', address, 'subscribe=1')).status, 200)
    assert.equal(await isUnsubscribed('ada@example.com'), false)
    const next = await uploadApk(server, { alias: 'shop', apk: { versionCode: 3 } })
    await tell(next)
    await mailServer.waitForMail('ada@example.com')
    await mailServer.waitForMail('bob@example.com')
  })

  it('keeps back a mail that waited for its mail server meanwhile', async () => {
    mailServer.refuseWith(450)
    const next = await uploadApk(server, { alias: 'shop', apk: { versionCode: 4 } })
    await tell(next)
    const waiting = async () => {
      const mails: Mail[] = (await server.call('GET', '/v1/mails')).json
      return mails.find(({ status, error }) => status === 'waiting' && error !== null)
    }
    let mail = await waiting()
    for (let waited = 0; waited < 400 && !mail; waited++) {
      await new Promise((resolve) => setTimeout(resolve, 25))
      mail = await waiting()
    }
    assert.ok(mail)
    const link = /https:\S+\/unsubscribe\/[\w.-]+/.exec(mail.text)?.[0] ?? ''
    assert.equal((await call('POST', link, oneClick)).status, 200)
    assert.equal((await server.call('POST', `/v1/mails/${mail.id}/retry`)).status < 300, true)
    const read = async (): Promise<Mail> => (await server.call('GET', `/v1/mails/${mail.id}`)).json
    for (let waited = 0; waited < 400 && (await read()).status === 'waiting'; waited++) {
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    const { status, error } = await read()
    assert.deepEqual([status, error], ['failed', 'The tester has unsubscribed'])
  })

  it('is 404 for an address that is not one, and 400 for a form that asks for nothing', async () => {
    for (const wrong of [
      `${address}x`,
      address.replace('/unsubscribe/', '/unsubscribe/1'),
      `${baseUrl}/unsubscribe/x`,
    ]) {
      assert.equal((await call('GET', wrong)).status, 404, wrong)
      assert.equal((await call('POST', wrong, oneClick)).status, 404, wrong)
    }
    assert.equal((await call('POST', address, 'List-Unsubscribe=Maybe')).status, 400)
    assert.equal((await call('POST', address, '{}', 'application/json')).status, 400)
    assert.equal((await call('POST', address, 'x', 'multipart/form-data')).status, 400)
    assert.equal((await call('POST', address, `${oneClick}&${'x'.repeat(20_000)}`)).status, 413)
  })

  it('ends with the workspace of the mail, and not with that of another', async () => {
    const stranger = await createSecondWorkspace(server)
    const group = await server.call('POST', '/v1/distributionGroups', { token: stranger, json: { name: 'Own' } })
    const path = `/v1/distributionGroups/${group.json.id}/testers`
    const json = { emails: ['bob@example.com'] }
    const { json: own } = await server.call('POST', path, { token: stranger, json })
    await call('POST', address, oneClick)
    const bob = readLinksOf((await server.call('GET', '/v1/mails')).json, 'bob@example.com')
    assert.equal((await call('POST', bob, oneClick)).status, 200)
    assert.equal(await isUnsubscribed('bob@example.com'), true)
    const { json: theirs } = await server.call('GET', '/v1/testers', { token: stranger })
    assert.deepEqual([own[0].isUnsubscribed, theirs[0].isUnsubscribed], [false, false])
  })
})

function readLinksOf(mails: Mail[], recipient: string): string {
  const mail = mails.find((one) => one.recipient === recipient)
  return /https:\S+\/unsubscribe\/[\w.-]+/.exec(mail?.text ?? '')?.[0] ?? ''
}
