import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type MailServer, startMailServer } from '../../apps/server/src/testing/mail-server.ts'
import { listLinks, openInstallPage } from '../../apps/server/src/testing/open-install-page.ts'
import { createApplication, uploadApk } from '../../apps/server/src/testing/upload.ts'
import { userAgents } from '../../apps/server/src/testing/user-agents.ts'
import { startWalk, type Walk } from './walk.ts'

const toPath = (url: string) => new URL(url).pathname
const oneClick = 'List-Unsubscribe=One-Click'

describe('The API of testers: mails, pages and reminders', () => {
  let walk: Walk
  let mailServer: MailServer
  let groupId: number
  let build: { id: number }
  let unsubscribe: string
  // oxlint-disable-next-line typescript/no-explicit-any -- the shape is what is tested
  let testers: any[]
  before(async () => {
    mailServer = await startMailServer()
    walk = await startWalk({ FAIRLEAD_SMTP_URL: mailServer.url })
    await createApplication(walk.server, 'shop')
    groupId = (await walk.ask('POST /v1/distributionGroups', 201, { json: { name: 'QA' } })).id
    const json = { emails: ['Bea <bea@example.com>', 'ada@example.com'] }
    testers = await walk.ask(`POST /v1/distributionGroups/${groupId}/testers`, 201, { json })
    build = await uploadApk(walk.server, { alias: 'shop', apk: { versionCode: 1 } })
  })
  after(async () => {
    await walk?.[Symbol.asyncDispose]()
    await mailServer?.[Symbol.asyncDispose]()
  })

  const distribute = (id: number, notifyTesters: boolean) =>
    walk.answer(`POST /v1/builds/${id}/distribute`, 201, { json: { distributionGroupIds: [groupId], notifyTesters } })
  const statusOf = async (email: string) =>
    (await walk.ask(`GET /v1/builds/${build.id}/testers`, 200)).find((one: { email: string }) => one.email === email)
  const find = (email: string) => testers.find((one) => one.email === email)
  const send = (body: string, status: number) =>
    walk.answer(`POST ${toPath(unsubscribe)}`, status, {
      token: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    })

  it('names the page of the tester and the way to unsubscribe in every mail', async () => {
    await distribute(build.id, true)
    const { decoded } = await mailServer.waitForMail('ada@example.com')
    const [head = '', body = ''] = decoded.split(/\r\n\r\n([^]*)/, 2)
    unsubscribe = /^List-Unsubscribe: <(\S+)>\r$/m.exec(head)?.[1] ?? ''
    assert.match(unsubscribe, /\/unsubscribe\/[\w.-]+$/)
    assert.match(head, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
    const [text = '', html = ''] = body.split('<!doctype html>')
    for (const part of [text, html]) assert.ok(part.includes(find('ada@example.com').pageUrl))
  })

  it('says of each tester, by e-mail, whether the mail came, the page was opened and the build installed', async () => {
    const listed = await walk.ask(`GET /v1/builds/${build.id}/testers`, 200)
    assert.deepEqual(
      listed.map(({ email }: { email: string }) => email),
      ['ada@example.com', 'bea@example.com'],
    )
    for (let waited = 0; (await statusOf('bea@example.com')).mailState !== 'sent'; waited++) {
      assert.ok(waited < 200, 'the mail is sent')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const told = await statusOf('bea@example.com')
    assert.deepEqual(
      [told.state, told.name, told.openedDate, told.installedDate, told.remindedDate, told.isUnsubscribed],
      ['told', 'Bea', null, null, null, false],
    )
    assert.ok(told.toldDate)
    const page = toPath(find('bea@example.com').pageUrl)
    const [{ installUrl, isInstalled }] = (await walk.answer(`GET ${page}/builds.json`, 200, { token: null })).json
    assert.equal(isInstalled, false)
    const opened = await openInstallPage(walk.server, installUrl, { agent: 'android' })
    assert.equal((await statusOf('bea@example.com')).state, 'opened')
    const binary = listLinks(opened.text).find((href) => href.includes('/binary/')) ?? ''
    await walk.answer(`GET ${binary}`, 200, { token: null, headers: { 'user-agent': userAgents.android } })
    const installed = await statusOf('bea@example.com')
    assert.deepEqual([installed.state, typeof installed.installedDate], ['installed', 'string'])
    assert.equal((await walk.answer(`GET ${page}/builds.json`, 200, { token: null })).json[0].isInstalled, true)
  })

  it('unsubscribes by POST alone, without cookies, again too, and takes it back', async () => {
    const get = () => walk.answer(`GET ${toPath(unsubscribe)}`, 200, { token: null })
    await get()
    assert.equal((await statusOf('ada@example.com')).isUnsubscribed, false)
    for (let count = 0; count < 2; count++) await send(oneClick, 200)
    await get()
    assert.equal((await statusOf('ada@example.com')).isUnsubscribed, true)
    const states = ['none', 'told', 'opened', 'installed']
    const reminded = await walk.ask(`POST /v1/builds/${build.id}/remind`, 202, { json: { states } })
    assert.deepEqual(reminded, { count: 0, skipped: { unsubscribed: 1, recent: 0, exhausted: 0 } })
    const json = { emails: ['ada@example.com'] }
    const [again] = await walk.ask(`POST /v1/distributionGroups/${groupId}/testers`, 201, { json })
    assert.equal(again.isUnsubscribed, true, 'it holds when the address is added again')
    await send('subscribe=1', 200)
    assert.equal((await statusOf('ada@example.com')).isUnsubscribed, false)
    await walk.answer(`POST ${toPath(unsubscribe)}x`, 404, {
      token: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: oneClick,
    })
    const { json: events } = await walk.answer('GET /v1/auditEvents?limit=50', 200)
    const actions = new Set(events.map(({ action }: { action: string }) => action))
    for (const action of ['tester.unsubscribe', 'tester.subscribe']) assert.ok(actions.has(action), action)
  })

  it('shows the builds of the tester’s groups, newest first, without those that are over', async () => {
    const page = toPath(find('ada@example.com').pageUrl)
    const list = async (): Promise<number[]> =>
      (await walk.answer(`GET ${page}/builds.json`, 200, { token: null })).json.map(({ id }: { id: number }) => id)
    const [second, third, apart] = [
      await uploadApk(walk.server, { alias: 'shop', apk: { versionCode: 2 } }),
      await uploadApk(walk.server, { alias: 'shop', apk: { versionCode: 3 } }),
      await uploadApk(walk.server, { alias: 'shop', apk: { versionCode: 4 } }),
    ]
    await distribute(third.id, false)
    await distribute(second.id, false)
    assert.deepEqual(await list(), [third.id, second.id, build.id])
    assert.ok(!(await list()).includes(apart.id))
    const html = await walk.answer(`GET ${page}`, 200, { token: null, headers: { accept: 'text/html' } })
    assert.deepEqual(
      [...html.text.matchAll(/<article[^>]* data-build-id="(\d+)"/g)].map(([, id]) => Number(id)),
      [third.id, second.id, build.id],
    )
    await walk.answer(`DELETE /v1/builds/${third.id}`, 204)
    const expirationDate = new Date(Date.now() + 1000).toISOString()
    await walk.answer(`PATCH /v1/builds/${second.id}/installLink`, 200, { json: { expirationDate } })
    await new Promise((resolve) => setTimeout(resolve, 1200))
    assert.deepEqual(await list(), [build.id])
    await walk.answer('GET /testers/nobody', 404, { token: null })
    await walk.answer('GET /testers/nobody/builds.json', 404, { token: null })
  })
})
