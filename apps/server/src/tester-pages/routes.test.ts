import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Build, Tester, TesterPageBuild } from '@fairlead/contract'
import { openDatabase } from '../db/open.ts'
import { createSecondWorkspace } from '../testing/second-workspace.ts'
import { listLinks, openInstallPage } from '../testing/open-install-page.ts'
import { type Answer, startServer, type TestServer } from '../testing/start-server.ts'
import { createApplication, uploadApk, uploadIpa } from '../testing/upload.ts'
import { userAgents } from '../testing/user-agents.ts'

const baseUrl = 'https://builds.example.com'
const pathOf = (url: string | null) => new URL(url ?? '').pathname

describe('the page of a tester', () => {
  let server: TestServer
  let ada: Tester
  let bob: Tester

  before(async () => {
    server = await startServer({ FAIRLEAD_BASE_URL: baseUrl })
    await createApplication(server, 'shop')
    await createApplication(server, 'wallet', 'ios')
    ada = await addTester('Beta', 'Ada <Ada@example.com>')
    bob = await addTester('Staff', 'bob@example.com')
  })
  after(() => server[Symbol.asyncDispose]())

  const addTester = async (group: string, email: string): Promise<Tester> => {
    const created = await server.call('POST', '/v1/distributionGroups', { json: { name: group } })
    const path = `/v1/distributionGroups/${created.json.id}/testers`
    return (await server.call('POST', path, { json: { emails: [email] } })).json[0]
  }
  const distribute = async (build: Build, name: string): Promise<Build> => {
    const json = { distributionGroupNames: [name] }
    assert.equal((await server.call('POST', `/v1/builds/${build.id}/distribute`, { json })).status, 201)
    return build
  }
  const listShown = (page: Answer) =>
    [...page.text.matchAll(/<article data-build-id="(\d+)">/g)].map(([, id]) => Number(id))
  const open = (tester: Tester, query = '') =>
    server.call('GET', pathOf(tester.pageUrl) + query, { token: null, headers: { Accept: 'text/html' } })
  const readBuilds = async (tester: Tester): Promise<TesterPageBuild[]> =>
    (await server.call('GET', `${pathOf(tester.pageUrl)}/builds.json`, { token: null })).json
  const readTester = async (id: number): Promise<Tester> => {
    const testers: Tester[] = (await server.call('GET', '/v1/testers')).json
    const found = testers.find((tester) => tester.id === id)
    assert.ok(found)
    return found
  }
  const post = (path: string, body: string, headers = {}) =>
    server.call('POST', path, {
      token: null,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body,
    })

  it('lists the builds of the tester’s groups, newest first, and nothing that cannot be installed', async () => {
    const first = await distribute(await uploadApk(server, { alias: 'shop', apk: { versionCode: 1 } }), 'Beta')
    const wallet = await distribute(await uploadIpa(server, { alias: 'wallet' }), 'Beta')
    const newest = await distribute(await uploadApk(server, { alias: 'shop', apk: { versionCode: 2 } }), 'Beta')
    await distribute(newest, 'Staff')
    const foreign = await distribute(await uploadApk(server, { alias: 'shop', apk: { versionCode: 3 } }), 'Staff')
    const revoked = await distribute(await uploadApk(server, { alias: 'shop', apk: { versionCode: 4 } }), 'Beta')
    const expired = await distribute(await uploadApk(server, { alias: 'shop', apk: { versionCode: 5 } }), 'Beta')
    const deleted = await distribute(await uploadApk(server, { alias: 'shop', apk: { versionCode: 6 } }), 'Beta')
    await uploadApk(server, { alias: 'shop', apk: { versionCode: 7 } })
    const update = (build: Build, json: unknown) => server.call('PATCH', `/v1/builds/${build.id}/installLink`, { json })
    assert.equal((await update(revoked, { isRevoked: true })).status, 200)
    const { db } = await openDatabase(server)
    await db.updateTable('builds').set({ expires_at: 1 }).where('id', '=', expired.id).execute()
    await db.destroy()
    await server.call('DELETE', `/v1/builds/${deleted.id}`)

    const page = await open(ada)
    assert.equal(page.status, 200, page.text)
    const wanted = [newest.id, wallet.id, first.id]
    assert.deepEqual(listShown(page), wanted)
    const builds = await readBuilds(ada)
    assert.deepEqual(
      builds.map(({ id }) => id),
      wanted,
    )
    const { installUrl, ...facts } = builds[0] ?? assert.fail()
    assert.deepEqual(facts, {
      id: newest.id,
      name: newest.name,
      platform: 'android',
      shortVersion: '1.0',
      version: '2',
      uploadedDate: newest.uploadedDate,
      isInstalled: false,
    })
    assert.ok(installUrl.startsWith(`${newest.installUrl}/for/`))
    assert.deepEqual(
      (await readBuilds(bob)).map(({ id }) => id),
      [foreign.id, newest.id],
    )
    const [, , android] = listLinks(page.text)
    assert.deepEqual(listShown(await open(ada, android?.slice(android.indexOf('?')))), [wallet.id])
    assert.deepEqual(listShown(await open(ada, '?application=x')), wanted)
  })

  it('says whose it is, is kept from search engines and other sites, and needs no script', async () => {
    const page = await open(ada)
    assert.match(page.text, /For Ada@example\.com/)
    assert.doesNotMatch(page.text, /<script|bob@example/)
    const { headers } = page
    assert.deepEqual(
      ['x-robots-tag', 'referrer-policy', 'cache-control'].map((name) => headers.get(name)),
      ['noindex', 'no-referrer', 'no-store'],
    )
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*form-action 'self'/)
    const titles: [string, string][] = [
      ['de', 'Deine Test-Builds'],
      ['fr', 'Vos builds de test'],
      ['es', 'Tus compilaciones de prueba'],
      ['ja', 'テスト用ビルド'],
      ['zh', '您的测试构建'],
    ]
    for (const [language, words] of titles) {
      const headers = { Accept: 'text/html', 'Accept-Language': language }
      const translated = await server.call('GET', pathOf(ada.pageUrl), { token: null, headers })
      assert.ok(translated.text.includes(`<h1>${words}</h1>`), language)
    }
  })

  it('marks what the tester installed, and is linked from personal install pages only', async () => {
    const [build] = await readBuilds(ada)
    assert.ok(build)
    const personal = await openInstallPage(server, build.installUrl, { agent: 'android' })
    assert.ok(listLinks(personal.text).includes(pathOf(ada.pageUrl)))
    const plain = await openInstallPage(server, build.installUrl.replace(/\/for\/.*/, ''), { agent: 'android' })
    assert.doesNotMatch(plain.text, /\/testers\//)
    const path = listLinks(personal.text).find((href) => href.includes('/binary/')) ?? ''
    await server.call('GET', path, { token: null, headers: { 'User-Agent': userAgents.android } })
    for (let waited = 0; waited < 400 && !(await readBuilds(ada))[0]?.isInstalled; waited++) {
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    assert.deepEqual(
      (await readBuilds(ada)).map(({ isInstalled }) => isInstalled),
      [true, false, false],
    )
    assert.equal([...(await open(ada)).text.matchAll(/✓ Installed/g)].length, 1)
    assert.equal((await readBuilds(bob)).find(({ id }) => id === build.id)?.isInstalled, false)
  })

  it('is 404 for every address that is not one', async () => {
    const path = pathOf(ada.pageUrl)
    const signature = path.split('.')[1]
    for (const wrong of [
      `${path}x`,
      path.slice(0, -1),
      `/testers/${bob.id.toString(36)}.${signature}`,
      `/testers/zzzzzzzzzzz.${signature}`,
      '/testers/a.b',
      '/testers/1/2/3',
      `${path}/other`,
    ]) {
      for (const accept of ['text/html', 'application/json']) {
        const answer = await server.call('GET', wrong, { token: null, headers: { Accept: accept } })
        assert.equal(answer.status, 404, wrong)
      }
      assert.equal((await server.call('GET', `${wrong}/builds.json`, { token: null })).status, 404)
    }
    const page = await server.call('GET', `${path}x`, { token: null, headers: { Accept: 'text/html' } })
    assert.match(page.text, /This page does not exist/)
  })

  it('gets another address, which ends the old one and the personal install links', async () => {
    const [build] = await readBuilds(ada)
    assert.ok(build)
    const answer = await server.call('POST', `/v1/testers/${ada.id}/renewLink`)
    assert.equal(answer.status, 200, answer.text)
    const renewed: Tester = answer.json
    assert.notEqual(renewed.pageUrl, ada.pageUrl)
    assert.deepEqual(renewed, await readTester(ada.id))
    assert.equal((await open(ada)).status, 404)
    assert.equal((await open(renewed)).status, 200)
    const old = await openInstallPage(server, build.installUrl)
    assert.equal(old.status, 200)
    assert.doesNotMatch(old.text, /\/testers\//, 'whoever has an old mail does not find the new page')
    const [again] = await readBuilds(renewed)
    assert.ok(
      listLinks((await openInstallPage(server, again?.installUrl ?? '')).text).includes(pathOf(renewed.pageUrl)),
    )
    const [event] = (await server.call('GET', '/v1/auditEvents')).json
    assert.equal(event.action, 'tester.renewLink')
    assert.ok(!JSON.stringify(event).includes(pathOf(renewed.pageUrl)))
    assert.equal((await server.call('POST', '/v1/testers/4000/renewLink')).status, 404)
    ada = renewed
  })

  it('is shown to developers, not to viewers, and to nobody of another workspace', async () => {
    for (const [role, sees] of [
      ['viewer', false],
      ['developer', true],
    ] as const) {
      const { json } = await server.call('POST', '/v1/apiTokens', { json: { name: role, role } })
      const { json: testers } = await server.call('GET', '/v1/testers', { token: json.token })
      assert.deepEqual(
        testers.map(({ pageUrl }: Tester) => pageUrl !== null),
        [sees, sees],
      )
      const renewed = await server.call('POST', `/v1/testers/${bob.id}/renewLink`, { token: json.token })
      assert.equal(renewed.status, sees ? 200 : 403)
    }
    const stranger = await createSecondWorkspace(server)
    assert.equal((await server.call('POST', `/v1/testers/${ada.id}/renewLink`, { token: stranger })).status, 404)
  })

  it('turns mails off and on, and says so', async () => {
    const path = pathOf(ada.pageUrl)
    for (const [choice, isUnsubscribed, words] of [
      ['off', true, 'sends no mails about builds to Ada@example.com'],
      ['off', true, 'Send these mails again'],
      ['on', false, 'tells Ada@example.com about new builds'],
    ] as const) {
      const answer = await post(`${path}/mails`, `mails=${choice}`)
      assert.deepEqual([answer.status, answer.headers.get('location')], [303, path])
      assert.equal((await readTester(ada.id)).isUnsubscribed, isUnsubscribed)
      assert.ok((await open(ada)).text.includes(words), words)
    }
    assert.equal((await post(`${path}/mails`, 'mails=maybe')).status, 400)
    assert.equal((await post(`${path}x/mails`, 'mails=off')).status, 404)
    assert.equal((await post(`${path}/mails`, `mails=${'x'.repeat(20_000)}`)).status, 413)
    assert.equal((await post(`${path}/mails`, '{"mails":"off"}', { 'Content-Type': 'application/json' })).status, 400)
    const { json: events } = await server.call('GET', '/v1/auditEvents')
    assert.deepEqual(
      events.slice(0, 2).map(({ action, actor }: { action: string; actor: { name: string } }) => [action, actor.name]),
      [
        ['tester.subscribe', 'ada@example.com'],
        ['tester.unsubscribe', 'ada@example.com'],
      ],
    )
  })
})
