import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Build, BuildTester, Mail, Reminded, Tester, TesterState } from '@fairlead/contract'
import { openDatabase } from '../db/open.ts'
import { type MailServer, startMailServer } from '../testing/mail-server.ts'
import { listLinks, openInstallPage } from '../testing/open-install-page.ts'
import { type Answer, startServer, type TestServer } from '../testing/start-server.ts'
import { createApplication, uploadApk } from '../testing/upload.ts'
import { userAgents } from '../testing/user-agents.ts'

const pathOf = (url: string | null) => new URL(url ?? '').pathname

describe('the testers of a build', () => {
  let server: TestServer
  let mailServer: MailServer
  let versionCode = 0
  const groups = new Map<string, number>()

  before(async () => {
    mailServer = await startMailServer()
    server = await startServer({ FAIRLEAD_SMTP_URL: mailServer.url })
    await createApplication(server, 'shop')
  })
  after(async () => {
    await server[Symbol.asyncDispose]()
    await mailServer[Symbol.asyncDispose]()
  })

  /** Adds testers to a group of their own. */
  const addGroup = async (name: string, ...emails: string[]): Promise<Tester[]> => {
    const group = await server.call('POST', '/v1/distributionGroups', { json: { name } })
    groups.set(name, group.json.id)
    const path = `/v1/distributionGroups/${group.json.id}/testers`
    return (await server.call('POST', path, { json: { emails } })).json
  }
  const upload = () => uploadApk(server, { alias: 'shop', apk: { versionCode: ++versionCode } })
  const distribute = async (build: Build, name: string, notifyTesters = true): Promise<Build> => {
    const json = { distributionGroupNames: [name], notifyTesters }
    assert.equal((await server.call('POST', `/v1/builds/${build.id}/distribute`, { json })).status, 201)
    return build
  }
  const list = async (build: Build): Promise<BuildTester[]> =>
    (await server.call('GET', `/v1/builds/${build.id}/testers`)).json
  const states = async (build: Build) => (await list(build)).map(({ email, state }) => [email.split('@')[0], state])
  const until = async (build: Build, isReached: (testers: BuildTester[]) => boolean): Promise<BuildTester[]> => {
    for (let waited = 0; waited < 400; waited++) {
      const testers = await list(build)
      if (isReached(testers)) return testers
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    return assert.fail(JSON.stringify(await list(build)))
  }
  const personalLink = async (tester: Tester | undefined, build: Build): Promise<string> => {
    const { json } = await server.call('GET', `${pathOf(tester?.pageUrl ?? null)}/builds.json`, { token: null })
    return json.find(({ id }: { id: number }) => id === build.id).installUrl
  }
  const remind = (build: Build, json: unknown, token = server.token) =>
    server.call('POST', `/v1/builds/${build.id}/remind`, { json, token })
  const reminded = (answer: Answer): Reminded => {
    assert.equal(answer.status, 202, answer.text)
    return answer.json
  }
  const useDatabase = async (use: (db: Awaited<ReturnType<typeof openDatabase>>['db']) => Promise<unknown>) => {
    const { db } = await openDatabase(server)
    await use(db)
    await db.destroy()
  }

  it('are listed by address with what they did, and with the fate of their mail', async () => {
    const [carol, ada, bob] = await addGroup('First', 'Carol@example.com', 'ada@example.com', 'Bob <bob@example.com>')
    await addGroup('Second', 'ada@example.com', 'dan@example.com')
    mailServer.refuseWith(550)
    const build = await distribute(await upload(), 'First')
    await distribute(build, 'Second', false)
    const told = await until(build, (all) => all.every(({ mailState }) => mailState !== 'waiting'))
    assert.deepEqual(
      told.map(({ email, state, mailState, groups: own }) => [
        email,
        state,
        mailState === null ? null : 'written',
        own.map(({ name }) => name),
      ]),
      [
        ['ada@example.com', 'told', 'written', ['First', 'Second']],
        ['bob@example.com', 'told', 'written', ['First']],
        ['Carol@example.com', 'told', 'written', ['First']],
        ['dan@example.com', 'none', null, ['Second']],
      ],
    )
    assert.deepEqual(
      told.map(({ mailState }) => String(mailState)).toSorted((a, b) => a.localeCompare(b)),
      ['failed', 'null', 'sent', 'sent'],
    )
    assert.equal(told[1]?.name, 'Bob')

    const link = await personalLink(bob, build)
    const page = await openInstallPage(server, link, { agent: 'android' })
    const path = listLinks(page.text).find((href) => href.includes('/binary/')) ?? ''
    await server.call('GET', path, { token: null, headers: { 'User-Agent': userAgents.android } })
    const downloaded = await openInstallPage(server, await personalLink(carol, build), { agent: 'windows' })
    const download = listLinks(downloaded.text).find((href) => href.includes('/binary/')) ?? ''
    await server.call('GET', download, { token: null, headers: { 'User-Agent': userAgents.windows } })
    assert.deepEqual(await states(build), [
      ['ada', 'told'],
      ['bob', 'installed'],
      ['Carol', 'opened'],
      ['dan', 'none'],
    ])
    const [, installed] = await list(build)
    assert.ok(installed?.toldDate && installed.openedDate && installed.installedDate)
    assert.ok(installed.toldDate <= installed.openedDate && installed.openedDate <= installed.installedDate)
    assert.equal(installed.remindedDate, null)

    const first = await server.call('GET', `/v1/builds/${build.id}/testers?limit=2`)
    assert.equal(first.headers.get('x-total-count'), '4')
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    const second = await server.call('GET', `${pathOf(next)}${new URL(next).search}`)
    assert.deepEqual([...first.json, ...second.json], await list(build))

    const path2 = `/v1/distributionGroups/${groups.get('First')}/testers/${bob?.id}`
    assert.equal((await server.call('DELETE', path2)).status, 204)
    const [, left] = await list(build)
    assert.deepEqual([left?.email, left?.state, left?.groups], ['bob@example.com', 'installed', []])
    assert.equal((await server.call('DELETE', `/v1/testers/${ada?.id}`)).status, 204)
    assert.equal((await list(build)).length, 3)
  })

  it('have opened a build only when a person’s browser showed a page of theirs', async () => {
    const [erin] = await addGroup('Third', 'erin@example.com')
    const build = await distribute(await upload(), 'Third', false)
    const older = await distribute(await upload(), 'Third', false)
    const link = await personalLink(erin, build)
    const page = erin?.pageUrl ?? ''
    const get = (url: string, headers: Record<string, string>, method = 'GET') =>
      server.call(method, pathOf(url), { token: null, headers: { Accept: 'text/html', ...headers } })
    for (const url of [link, page]) {
      await get(url, { 'User-Agent': userAgents.iphone }, 'HEAD')
      await get(url, { 'User-Agent': userAgents.androidReduced, 'Sec-Purpose': 'prefetch;prerender' })
      await get(url, { 'User-Agent': userAgents.mac, 'X-Moz': 'prefetch' })
      await get(url, { 'User-Agent': userAgents.windows, Purpose: 'prefetch' })
      await get(url, { 'User-Agent': userAgents.windows, 'Sec-Fetch-Dest': 'image' })
      await get(url, { 'User-Agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' })
      await get(url, { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' })
      await get(url, { 'User-Agent': 'WhatsApp/2.24.6.77 A' })
      await get(url, { 'User-Agent': 'curl/8.5.0' })
      await get(url, { 'User-Agent': '' })
    }
    await get(build.installUrl, { 'User-Agent': userAgents.iphone })
    await get(`${page}/builds.json`, { 'User-Agent': userAgents.iphone })
    assert.deepEqual([await states(build), await states(older)], [[['erin', 'none']], [['erin', 'none']]])
    await get(link, { 'User-Agent': userAgents.iphone, 'Sec-Fetch-Dest': 'document' })
    assert.deepEqual([await states(build), await states(older)], [[['erin', 'opened']], [['erin', 'none']]])
    const [opened] = await list(build)
    await get(page, { 'User-Agent': userAgents.windows })
    assert.deepEqual([await states(build), await states(older)], [[['erin', 'opened']], [['erin', 'opened']]])
    assert.deepEqual(await list(build), [opened], 'the first time counts')
  })

  it('are reminded by a mail, once a day and three times in all, and never when they installed it', async () => {
    const [fay, gil, hal] = await addGroup('Fourth', 'fay@example.com', 'gil@example.com', 'hal@example.com')
    const build = await distribute(await upload(), 'Fourth')
    for (const name of ['fay', 'gil', 'hal']) await mailServer.waitForMail(`${name}@example.com`)
    const page = await openInstallPage(server, await personalLink(fay, build), { agent: 'android' })
    const path = listLinks(page.text).find((href) => href.includes('/binary/')) ?? ''
    await server.call('GET', path, { token: null, headers: { 'User-Agent': userAgents.android } })
    await openInstallPage(server, await personalLink(gil, build), { agent: 'android' })
    const all: TesterState[] = ['none', 'told', 'opened', 'installed']
    const none = { unsubscribed: 0, recent: 0, exhausted: 0 }
    assert.deepEqual(reminded(await remind(build, { states: ['told'] })), { count: 1, skipped: none })
    const { decoded } = await mailServer.waitForMail('hal@example.com')
    assert.match(decoded, /^Subject: Reminder: .* still waits for your test\r$/m)
    assert.match(decoded, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
    assert.deepEqual(reminded(await remind(build, { states: ['installed'] })), { count: 0, skipped: none })
    assert.deepEqual(reminded(await remind(build, { states: all })), { count: 1, skipped: { ...none, recent: 1 } })
    await mailServer.waitForMail('gil@example.com')
    const again = { count: 0, skipped: { ...none, recent: 2 } }
    assert.deepEqual(reminded(await remind(build, { states: all })), again)
    const yesterday = () =>
      useDatabase((db) =>
        db
          .updateTable('build_testers')
          .set({ reminded_at: Date.now() - 86_400_001 })
          .where('build_id', '=', build.id)
          .where('reminded_at', 'is not', null)
          .execute(),
      )
    for (const count of [2, 1]) {
      await yesterday()
      const testerIds = count === 2 ? [gil?.id, hal?.id] : [hal?.id]
      assert.deepEqual(reminded(await remind(build, { states: all, testerIds })), { count, skipped: none })
    }
    await yesterday()
    await post(unsubscribeLink((await server.call('GET', '/v1/mails')).json, 'gil@example.com'))
    const last = { count: 0, skipped: { unsubscribed: 1, recent: 0, exhausted: 1 } }
    assert.deepEqual(reminded(await remind(build, { states: all })), last)
    const dates = (await list(build)).map(({ remindedDate }) => remindedDate !== null)
    assert.deepEqual(dates, [false, true, true])
    const { json: events } = await server.call('GET', '/v1/auditEvents')
    const event = events.find(({ action }: { action: string }) => action === 'tester.remind')
    assert.deepEqual(event.details, { states: all, count: 0 })
  })

  it('are told of a build by a reminder when they were not before', async () => {
    await addGroup('Fifth', 'ida@example.com')
    const build = await distribute(await upload(), 'Fifth', false)
    assert.equal(reminded(await remind(build, { states: ['told'] })).count, 0)
    assert.equal(reminded(await remind(build, { states: ['none'] })).count, 1)
    await mailServer.waitForMail('ida@example.com')
    assert.deepEqual(await states(build), [['ida', 'told']])
    await distribute(build, 'Fifth')
    const mails: Mail[] = (await server.call('GET', '/v1/mails')).json
    assert.equal(mails.filter(({ recipient }) => recipient === 'ida@example.com').length, 1, 'and not once more')
  })

  it('are not reminded by a wrong request, of a build without a link, or by a viewer', async () => {
    await addGroup('Sixth', 'jon@example.com')
    const build = await distribute(await upload(), 'Sixth', false)
    for (const json of [{}, { states: [] }, { states: ['asleep'] }, { states: ['none'], testerIds: [] }]) {
      assert.equal((await remind(build, json)).status, 400, JSON.stringify(json))
    }
    const { json: token } = await server.call('POST', '/v1/apiTokens', { json: { name: 'v', role: 'viewer' } })
    assert.equal((await remind(build, { states: ['none'] }, token.token)).status, 403)
    const seen = await server.call('GET', `/v1/builds/${build.id}/testers`, { token: token.token })
    assert.deepEqual([seen.status, seen.json.length], [200, 1])
    assert.equal((await remind({ ...build, id: 4000 }, { states: ['none'] })).status, 404)
    assert.equal((await remind({ ...build, id: 4000 }, {})).status, 404)
    await server.call('PATCH', `/v1/builds/${build.id}/installLink`, { json: { isRevoked: true } })
    const revoked = await remind(build, { states: ['none'] })
    assert.deepEqual([revoked.status, revoked.json.title], [409, 'Conflict'])
  })

  const post = async (url: string) => {
    const answer = await server.call('POST', pathOf(url), {
      token: null,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
    assert.equal(answer.status, 200)
  }
})

it('are reminded in batches, within the quota of mails', async () => {
  await using server = await startServer({ FAIRLEAD_WORKSPACE_MAX_MAILS_PER_HOUR: '260' })
  await createApplication(server, 'shop')
  const group = await server.call('POST', '/v1/distributionGroups', { json: { name: 'All' } })
  const emails = Array.from({ length: 250 }, (_, index) => `tester${index}@example.com`)
  await server.call('POST', `/v1/distributionGroups/${group.json.id}/testers`, { json: { emails } })
  const build = await uploadApk(server, { alias: 'shop' })
  const json = { distributionGroupNames: ['All'] }
  await server.call('POST', `/v1/builds/${build.id}/distribute`, { json })
  const remind = () => server.call('POST', `/v1/builds/${build.id}/remind`, { json: { states: ['none', 'told'] } })
  assert.equal((await remind()).json.count, 250)
  const countMails = async () => (await server.call('GET', '/v1/mails')).json.length
  for (let waited = 0; waited < 400 && (await countMails()) < 250; waited++) {
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  assert.equal(await countMails(), 250)
  const { db } = await openDatabase(server)
  await db.updateTable('build_testers').set({ reminded_at: 1 }).execute()
  await db.destroy()
  const refused = await remind()
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '3600'])
  const { json: testers } = await server.call('GET', `/v1/builds/${build.id}/testers`)
  assert.ok(
    testers.every(({ remindedDate }: BuildTester) => remindedDate === '1970-01-01T00:00:00.001Z'),
    'nobody was',
  )
})

function unsubscribeLink(mails: Mail[], recipient: string): string {
  const mail = mails.find((one) => one.recipient === recipient)
  return /http:\S+\/unsubscribe\/[\w.-]+/.exec(mail?.text ?? '')?.[0] ?? ''
}
