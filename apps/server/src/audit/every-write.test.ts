/**
 * Makes every write of the API for real, once at least, and looks for its event in the audit log. So does what changes
 * something outside of the documented API: sentry-cli, testers on their pages, agents, sign-in through a provider.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join as joinPath } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { parsePlist, signMessage } from '@fairlead/binary'
import { createSigner } from '@fairlead/binary/fixture'
import { type AuditEvent, hookEventTypes } from '@fairlead/contract'
import { openDatabase } from '../db/open.ts'
import { grantServerAdmin } from '../server-admin/grant.ts'
import { connectAgent } from '../testing/agents.ts'
import { type AppleServer, startAppleServer } from '../testing/apple-api.ts'
import { type AuditedWrites, followAuditedWrites } from '../testing/audited-writes.ts'
import { generateCode } from '../testing/authenticator.ts'
import { Browser, invite, join, password, signIn } from '../testing/browser.ts'
import { waitUntilRead } from '../testing/crashes.ts'
import { type HookReceiver, startHookReceiver } from '../testing/hook-receiver.ts'
import { type IdentityProvider, startIdentityProvider } from '../testing/identity-provider.ts'
import { type MailServer, startMailServer } from '../testing/mail-server.ts'
import { createPng } from '../testing/pictures.ts'
import { ProviderBrowser } from '../testing/provider-browser.ts'
import { sendFeedback } from '../testing/send-feedback.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
import { writeJunit } from '../testing/test-reports.ts'
import { createApk } from '../testing/upload.ts'

const alias = { 'X-Service-Application-Alias': 'shop' }
const tus = { ...alias, 'Tus-Resumable': '1.0.0' }
const trace = (method: string) => `java.lang.Error: x\n\tat com.example.Shop.${method}(Shop.java:1)\n`

describe('every write of the API', () => {
  const opened = new AsyncDisposableStack()
  let provider: IdentityProvider
  let mails: MailServer
  let receiver: HookReceiver
  let apple: AppleServer
  let server: TestServer
  let audit: AuditedWrites
  /** The ids of what the walk has created so far. */
  const ids: Record<string, string | number> = {}

  before(async () => {
    provider = opened.use(await startIdentityProvider())
    mails = opened.use(await startMailServer())
    receiver = opened.use(await startHookReceiver())
    apple = opened.use(await startAppleServer())
    server = opened.use(
      await startServer({
        FAIRLEAD_SMTP_URL: mails.url,
        FAIRLEAD_HOOKS_ALLOW: receiver.host,
        FAIRLEAD_APPLE_API_URL: apple.url,
        FAIRLEAD_SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
        FAIRLEAD_OIDC_PROVIDERS: JSON.stringify([provider.entry()]),
      }),
    )
    const { json } = await server.call('GET', '/v1/signInOptions', { token: null })
    provider.register(new URL(json.providers[0].startUrl).origin)
    audit = await followAuditedWrites(server)
  })
  after(() => opened.disposeAsync())

  const write: AuditedWrites['write'] = (operation, options) =>
    audit.write(operation, { ...options, ids: { ...ids, ...options?.ids } })
  /** Creates something, and keeps its id under the name that paths have for it. */
  const create = async (name: string, operation: string, options: Parameters<typeof write>[1]) => {
    const answer = await write(operation, options)
    ids[name] = answer.json.id
    return answer.json
  }
  const upload = (versionCode: number) =>
    write('POST /v2/builds', { headers: alias, body: createApk({ versionCode }) }).then(({ json }) => json)
  const visit = (path: string, body: Record<string, string>) =>
    server.call('POST', path, { token: null, body: new URLSearchParams(body) })

  it('of applications, builds and uploads is recorded', async () => {
    const json = { name: 'Shop', alias: 'shop', platform: 'android' }
    await create('applicationId', 'POST /v1/applications', { json })
    await write('PATCH /v1/applications/{applicationId}', { json: { description: 'A shop' } })
    const file = createApk({ packageName: 'com.example.other' })
    const made = await write('POST /v1/applications/fromFile', { body: file })
    await write('DELETE /v1/applications/{applicationId}', { ids: { applicationId: made.json.applicationId } })
    const build = await upload(1)
    ids['buildId'] = build.id
    await write('PATCH /v2/builds/{buildId}', { json: { releaseNotes: 'New' } })
    const files = [{ path: 'a.ts', status: 'M', hunks: [[1, 2]] }]
    const commit = { id: 'a'.repeat(40), date: '2026-11-20T08:00:00Z', files }
    await write('PUT /v1/builds/{buildId}/commits', { json: { head: commit.id, base: null, commits: [commit] } })
    await write('PUT /v1/builds/{buildId}/pin')
    await write('DELETE /v1/builds/{buildId}/pin')
    await write('PATCH /v1/builds/{buildId}/installLink', { json: { isRevoked: false } })
    const apk = createApk({ versionCode: 2 })
    const length = { 'Upload-Length': String(apk.length) }
    const part = { 'Content-Type': 'application/offset+octet-stream' }
    await write('POST /v2/uploads', { headers: { ...tus, ...length, ...part }, body: apk })
    const started = await write('POST /v2/uploads', { headers: { ...tus, ...length }, records: [] })
    ids['uploadId'] = started.headers.get('location')?.split('/').at(-1) ?? ''
    const first = { ...tus, ...part, 'Upload-Offset': '0' }
    await write('PATCH /v2/uploads/{uploadId}', { headers: first, body: apk.subarray(0, 9), records: [] })
    await write('PATCH /v2/uploads/{uploadId}', { headers: { ...first, 'Upload-Offset': '9' }, body: apk.subarray(9) })
    const left = await write('POST /v2/uploads', { headers: { ...tus, ...length }, records: [] })
    await write('DELETE /v2/uploads/{uploadId}', {
      headers: tus,
      ids: { uploadId: left.headers.get('location')?.split('/').at(-1) ?? '' },
    })
    await write('DELETE /v1/builds/{buildId}', { ids: { buildId: (await upload(3)).id } })
  })

  it('of groups, testers, latest links and retention is recorded', async () => {
    await create('distributionGroupId', 'POST /v1/distributionGroups', { json: { name: 'QA' } })
    await write('PATCH /v1/distributionGroups/{distributionGroupId}', { json: { name: 'Testers' } })
    const json = { emails: ['ada@example.com', 'bob@example.com'] }
    const testers = await write('POST /v1/distributionGroups/{distributionGroupId}/testers', { json })
    ids['testerId'] = testers.json[0].id
    await write('DELETE /v1/distributionGroups/{distributionGroupId}/testers/{testerId}', {
      ids: { testerId: testers.json[1].id },
    })
    await write('DELETE /v1/testers/{testerId}', { ids: { testerId: testers.json[1].id } })
    await write('POST /v1/testers/{testerId}/renewLink')
    const groups = { distributionGroupIds: [ids['distributionGroupId']] }
    await write('POST /v1/builds/{buildId}/distribute', { json: { ...groups, notifyTesters: true } })
    await write('POST /v1/builds/{buildId}/remind', { json: { states: ['none', 'told', 'opened'] } })
    await write('DELETE /v1/builds/{buildId}/distributionGroups/{distributionGroupId}')
    await create('latestLinkId', 'POST /v1/applications/{applicationId}/latestLinks', { json: { name: 'Wall' } })
    await write('PATCH /v1/latestLinks/{latestLinkId}', { json: { name: 'Hall' } })
    await write('POST /v1/latestLinks/{latestLinkId}/renew')
    await write('DELETE /v1/latestLinks/{latestLinkId}')

    const rules = [{ branches: ['*'], maxAgeDays: null, keepNewest: 1 }]
    const retention = { isEnabled: true, rules, keepDistributedDays: 0, quietBranchDays: null }
    await write('POST /v1/applications/{applicationId}/retention/preview', { json: retention })
    await write('PUT /v1/applications/{applicationId}/retention', { json: retention })
    const { db } = await openDatabase(server)
    await db
      .updateTable('builds')
      .set({ uploaded_at: Date.now() - 40 * 24 * 60 * 60 * 1000 })
      .execute()
    await db.destroy()
    const finishRun = async () => {
      await create('retentionRunId', 'POST /v1/applications/{applicationId}/retention/runs', {})
      const path = `/v1/retentionRuns/${ids['retentionRunId']}`
      while ((await server.call('GET', path)).json.state === 'running') await new Promise(setImmediate)
      const run = (await server.call('GET', path)).json
      assert.ok(run.trashedCount > 0, JSON.stringify(run))
    }
    await finishRun()
    await write('POST /v1/retentionRuns/{retentionRunId}/undo')
    await finishRun()
    const [trashed] = (await server.call('GET', `/v1/applications/${ids['applicationId']}/trash`)).json
    await write('POST /v1/builds/{buildId}/restore', { ids: { buildId: trashed.id } })
    ids['buildId'] = trashed.id
    await write('POST /v1/applications/{applicationId}/trash/empty')
  })

  it('of symbols, crashes and their groups is recorded', async () => {
    const app = 'POST /v1/applications/{applicationId}'
    const mapping = {
      ...alias,
      'X-Service-Package': 'com.example.shop',
      'X-Service-Version-Name': '1.0',
      'X-Service-Version-Code': '1',
    }
    const body = '# compiler: R8\ncom.example.Shop -> a.a:\n    void open() -> a\n'
    await write('POST /v2/symbolsFiles', { headers: mapping, body })
    const { json: files } = await server.call('GET', `/v1/applications/${ids['applicationId']}/symbolsFiles`)
    await write('DELETE /v1/symbolsFiles/{symbolsFileId}', { ids: { symbolsFileId: files[0].id } })
    await write(`${app}/symbolicate`, { body: trace('open') })
    await create('crashKeyId', `${app}/crashKeys`, { json: { name: 'Apps' } })
    await write('PATCH /v1/applications/{applicationId}/crashKeys/{crashKeyId}', { json: { name: 'All apps' } })
    for (const method of ['open', 'close', 'pay', 'show']) await write(`${app}/crashes`, { body: trace(method) })
    await waitUntilRead(server, Number(ids['applicationId']))
    const path = `/v1/applications/${ids['applicationId']}`
    const { json: groups } = await server.call('GET', `${path}/crashGroups`)
    const [one, other, third, last] = groups.map(({ id }: { id: number }) => id)
    ids['crashGroupId'] = one
    await write('PATCH /v1/crashGroups/{crashGroupId}', { json: { status: 'ignored' } })
    await write('POST /v1/crashGroups/{crashGroupId}/comments', { json: { text: 'Seen' } })
    await write('POST /v1/crashGroups/{crashGroupId}/merge', { json: { groupIds: [other] } })
    const { json: crashes } = await server.call('GET', `/v1/crashGroups/${one}/crashes`)
    const crash = await server.call('GET', `/v1/crashes/${crashes[0].id}`)
    await write('POST /v1/crashGroups/{crashGroupId}/split', { json: { stackIds: [crash.json.stackId] } })
    const many = { filter: { q: 'java' }, status: 'resolved' }
    await write('PATCH /v1/applications/{applicationId}/crashGroups', { json: many })
    await write('DELETE /v1/crashGroups/{crashGroupId}', { ids: { crashGroupId: third }, query: '?discard=true' })
    const { json: discarded } = await server.call('GET', `${path}/discardedGroups`)
    await write('DELETE /v1/applications/{applicationId}/discardedGroups/{key}', { ids: { key: discarded[0].key } })
    await write('DELETE /v1/crashGroups/{crashGroupId}', { ids: { crashGroupId: last } })
    const { json } = await server.call('GET', '/v1/auditEvents?action=crashGroup')
    const events: AuditEvent[] = json
    const ofGroups = events.filter(({ target }) => target?.startsWith('/v1/crashGroups/'))
    assert.equal(ofGroups.length, 6)
    for (const { action, target, details } of ofGroups) {
      const { title } = groups.find(({ id }: { id: number }) => id === Number(target?.split('/')[3]))
      const named = { title: details['title'], applicationId: details['applicationId'] }
      assert.deepEqual(named, { title, applicationId: ids['applicationId'] }, action)
    }
    await write('PUT /v1/applications/{applicationId}/crashRules', { json: { rules: [] } })
    await write('DELETE /v1/applications/{applicationId}/crashes', { query: '?installId=one' })
    const rule = { name: 'Feedback', kind: 'feedback' }
    await create('alertRuleId', `${app}/alertRules`, { json: rule })
    await write('PATCH /v1/alertRules/{alertRuleId}', { json: { name: 'Words' } })
    await write('DELETE /v1/alertRules/{alertRuleId}')
  })

  it('of tests is recorded', async () => {
    const report = await write('POST /v1/testReports', {
      headers: { ...alias, 'X-Service-Branch': 'main', 'X-Service-Run-Key': 'ci-1' },
      body: writeJunit([{ name: 'a', failure: 'x' }, { name: 'b' }]),
    })
    ids['testRunId'] = report.json.run.id
    await write('POST /v1/testRuns/{testRunId}/complete')
    const { json: results } = await server.call('GET', `/v1/testRuns/${ids['testRunId']}/results`)
    const { testId } = results[0]
    await write('PATCH /v1/tests/{testId}', { ids: { testId }, json: { owner: '@team' } })
    const app = '/v1/applications/{applicationId}'
    await create('quarantineId', `POST ${app}/quarantine`, { json: { testId, reason: 'late' } })
    await write(`DELETE ${app}/quarantine/{quarantineId}`)
    await write(`PUT ${app}/owners`, { json: { content: '* @team' } })
    await write(`POST ${app}/badge`)
    await write(`DELETE ${app}/badge`)
    await write(`POST ${app}/testSplits`, { json: { key: 'ci-1' } })
  })

  it('of hooks, mails, feedback and devices is recorded', async () => {
    const json = { name: 'CI', url: receiver.url, events: ['*'] }
    await create('hookId', 'POST /v1/hooks', { json })
    await write('PATCH /v1/hooks/{hookId}', { json: { name: 'CD' } })
    await write('POST /v1/hooks/{hookId}/rotateSecret', { json: {} })
    await create('hookDeliveryId', 'POST /v1/hooks/{hookId}/test', {})
    await receiver.waitFor((delivery) => delivery.json.type === 'hook.test')
    await write('POST /v1/hookDeliveries/{hookDeliveryId}/redeliver')
    await write('POST /v1/hooks/{hookId}/redeliver', { json: { since: '2026-01-01T00:00:00.000Z' } })
    await write('DELETE /v1/hooks/{hookId}')

    const person = await join(server, { email: 'mia@example.com', role: 'admin', mailServer: mails })
    await audit.expectEvents('an invitation', ['invitation.create', 'member.join'])
    const recipient = { recipient: 'mia@example.com' }
    await write('POST /v1/mails/test', { by: person, json: recipient })
    await mails.waitForMail(recipient.recipient)
    mails.refuseWith(550)
    await write('POST /v1/mails/test', { by: person, json: recipient })
    let failed: { id: number } | undefined
    while (!failed) {
      const listed = await server.call('GET', '/v1/mails')
      failed = listed.json.find(({ status }: { status: string }) => status === 'failed')
    }
    await write('POST /v1/mails/{mailId}/retry', { ids: { mailId: failed.id } })
    await write('POST /v1/mailDelivery/sendHeld')
    await write('POST /v1/mailDelivery/discardHeld')

    const { json: build } = await server.call('GET', `/v1/builds/${ids['buildId']}`)
    const pictures = [{ name: 'a.png', bytes: createPng() }]
    const sent = await sendFeedback(server, build.installUrl, { text: 'The chart is empty', pictures })
    assert.equal(sent.status, 201, sent.text)
    await audit.expectEvents('feedback, which the list of feedback shows', [])
    await write('PATCH /v1/feedback/{feedbackId}', { ids: { feedbackId: sent.json.id }, json: { status: 'done' } })
    await write('DELETE /v1/feedback/{feedbackId}', { ids: { feedbackId: sent.json.id } })

    const { issuerId, keyId, privateKey } = apple
    await write('PUT /v1/appStoreConnect', { json: { issuerId, keyId, privateKey } })
    await addDevice('a'.repeat(40))
    await write('PATCH /v1/devices/{deviceId}', { json: { name: 'Lab' } })
    await write('POST /v1/devices/{deviceId}/register')
    await write('DELETE /v1/devices/{deviceId}')
    await write('DELETE /v1/appStoreConnect')
    const page = await addDevice('b'.repeat(40))
    const removed = await visit(`${page}/devices`, { remove: String(ids['deviceId']) })
    assert.ok(removed.status < 400, removed.text)
    await audit.expectEvents('a device that its tester deletes', ['device.delete'])
    for (const [form, action] of [
      [{ mails: 'off' }, 'tester.unsubscribe'],
      [{ mails: 'on' }, 'tester.subscribe'],
    ] as const) {
      const changed = await visit(`${page}/mails`, form)
      assert.ok(changed.status < 400, changed.text)
      await audit.expectEvents('the mails of a tester', [action])
    }
  })

  /** Has a device of the tester tell its UDID. Returns the path of the tester's page. */
  const addDevice = async (udid: string): Promise<string> => {
    const { json: testers } = await server.call('GET', '/v1/testers')
    const page = new URL(testers[0].pageUrl).pathname
    const profile = await server.call('GET', `${page}/device.mobileconfig`, { token: null })
    const { PayloadContent: question } = Object(parsePlist(profile.bytes))
    const signer = createSigner()
    const list = `<plist><dict><key>UDID</key><string>${udid}</string>
      <key>CHALLENGE</key><string>${question.Challenge}</string></dict></plist>`
    const signed = signMessage(Buffer.from(list), { certificates: [signer.certificate], privateKey: signer.privateKey })
    const body = new Uint8Array(signed)
    const answer = await server.call('POST', new URL(question.URL).pathname, { token: null, body })
    assert.equal(answer.status, 301, answer.text)
    await audit.expectEvents('a device', ['device.add'])
    const { json: devices } = await server.call('GET', `/v1/testers/${testers[0].id}/devices`)
    ids['deviceId'] = devices[0].id
    return page
  }

  it('of people and their ways to sign in is recorded', async () => {
    await write('POST /v1/invitations', { json: { email: 'late@example.com', role: 'viewer' } })
    const [late] = (await server.call('GET', '/v1/invitations')).json
    await write('DELETE /v1/invitations/{invitationId}', { ids: { invitationId: late.id } })
    await invite(server, { email: 'ned@example.com', role: 'developer' })
    const token = /invitation\?token=([\w-]{43})/.exec((await mails.waitForMail('ned@example.com')).decoded)?.[1]
    await audit.expectEvents('an invitation', ['invitation.create'])
    const accepted = { token, name: 'ned', password }
    const ned = new Browser(server)
    const { json: answer } = await write('POST /v1/invitations/accept', { by: ned, json: accepted })
    ned.session = answer
    const accountId: number = answer.account.id
    await write('PATCH /v1/members/{accountId}', { ids: { accountId }, json: { role: 'admin' } })
    await write('PATCH /v1/account', { by: ned, json: { name: 'Ned' } })

    const other = new Browser(server)
    const right = { email: 'ned@example.com', password }
    other.session = (await write('POST /v1/session', { by: other, token: null, json: right })).json
    await write('DELETE /v1/session', { by: other })
    other.cookie = undefined
    other.session = (await write('POST /v1/session', { by: other, token: null, json: right })).json
    const sessions = (await ned.call('GET', '/v1/sessions')).json
    const elsewhere = sessions.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent)
    await write('DELETE /v1/sessions/{sessionId}', { by: ned, ids: { sessionId: elsewhere.id } })
    await server.call('POST', '/v1/session', { token: null, json: { ...right, password: 'wrong' } })
    // A refusal is recorded after its answer, so that the response time does not tell whether the account exists.
    while ((await server.call('GET', '/v1/auditEvents?action=session.refuse')).json.length === 0)
      await new Promise(setImmediate)
    await audit.expectEvents('a refused sign-in', ['session.refuse'])

    const workspace = await write('POST /v1/workspaces', { by: ned, json: { name: 'Own' }, records: [] })
    const own = { call: ned.call.bind(ned) }
    const inOwn: typeof own = {
      call: (method, path, options) =>
        own.call(method, path, { ...options, headers: { 'X-Fairlead-Workspace': String(workspace.json.id) } }),
    }
    await audit.expectEvents('a workspace', ['workspace.create'], inOwn)
    await write('PATCH /v1/workspace', { json: { linkLifetimeDays: 30 } })

    const { json: started } = await write('POST /v1/twoFactor', { by: ned, json: { password } })
    const first = { code: generateCode(started.secret) }
    const confirmed = await write('POST /v1/twoFactor/confirm', { by: ned, json: first })
    // A recovery code is right at any time, and a code of the app only once.
    const [proof] = confirmed.json.recoveryCodes
    const renewal = { password, code: proof }
    const renewed = await write('POST /v1/twoFactor/recoveryCodes', { by: ned, json: renewal })
    await write('DELETE /v1/twoFactor', { by: ned, json: { password, code: renewed.json.recoveryCodes[0] } })

    const reset = { email: 'ned@example.com' }
    await write('POST /v1/passwordResets', { token: null, json: reset })
    let link: string | undefined
    while (link === undefined) link = /token=([\w-]{43})/.exec((await mails.waitForMail(reset.email)).decoded)?.[1]
    const redeemed = { token: link, password }
    await write('POST /v1/passwordResets/redeem', { token: null, json: redeemed })
    const again = await signIn(server, 'ned@example.com')
    await audit.expectEvents('a sign-in', ['session.start'])

    const name = { name: 'laptop' }
    const begin = async () => (await write('POST /v1/loginRequests', { token: null, json: name })).json
    const [approved, refused] = [await begin(), await begin()]
    const { userCode } = approved
    await write('POST /v1/loginRequests/find', { by: again, json: { userCode } })
    const { id: workspaceId } = again.session?.workspaces.find((one) => one.name === 'default') ?? {}
    const approval = { userCode, workspaceId, role: 'viewer' }
    await write('POST /v1/loginRequests/approve', { by: again, json: approval })
    const polled = await write('POST /v1/loginRequests/poll', {
      token: null,
      json: { deviceCode: approved.deviceCode },
      records: ['apiToken.create'],
    })
    await write('DELETE /v1/caller', { token: polled.json.apiToken.token })
    await write('POST /v1/loginRequests/refuse', { by: again, json: { userCode: refused.userCode } })
    await write('DELETE /v1/sessions', { by: again })

    await create('apiTokenId', 'POST /v1/apiTokens', { json: { name: 'ci', role: 'developer' } })
    await write('DELETE /v1/apiTokens/{apiTokenId}')

    const { db } = await openDatabase(server)
    await grantServerAdmin(db, 'mia@example.com', true)
    await db.destroy()
    const root = await signIn(server, 'mia@example.com')
    await audit.expectEvents('a sign-in', ['session.start'])
    const change = (json: object, records: string[]) =>
      write('PATCH /v1/server/accounts/{accountId}', { by: root, ids: { accountId }, json, records })
    await change({ isDisabled: true }, ['account.disable'])
    await change({ isDisabled: false }, ['account.enable'])
    await write('DELETE /v1/members/{accountId}', { ids: { accountId } })
  })

  it('of sign-in through a provider is recorded', async () => {
    const roles = [{ provider: 'corp', group: 'leads', role: 'developer' }]
    await write('PUT /v1/groupRoles', { json: roles })
    const addPerson = (groups: string[], email: string) =>
      provider.people.set('eve', { name: 'eve', email, email_verified: true, groups })
    addPerson(['leads'], 'eve@example.com')
    const eve = new ProviderBrowser(server, provider)
    await eve.signIn('eve')
    await audit.expectEvents('a first sign-in', ['member.join', 'session.start'])
    await provider.signOut(eve.cookiesThere)
    await audit.expectEvents('the end by the provider', ['session.end'])

    await join(server, { email: 'lea@example.com', role: 'viewer', mailServer: mails })
    await audit.expectEvents('an invitation', ['invitation.create', 'member.join'])
    provider.people.set('lea', { name: 'lea', email: 'lea@example.com', email_verified: true, groups: [] })
    const lea = new ProviderBrowser(server, provider)
    await lea.signIn('lea')
    const linked = await write('POST /v1/session/link', {
      by: lea,
      json: { password },
      records: ['identity.link', 'session.start'],
    })
    lea.session = linked.json
    const [identity] = (await lea.call('GET', '/v1/account/identities')).json
    await write('POST /v1/account/identities', { by: lea, json: { provider: 'corp' } })
    await write('DELETE /v1/account/identities/{identityId}', { by: lea, ids: { identityId: identity.id } })
  })

  it('of sentry-cli and of agents is recorded', async () => {
    const bearer = { Authorization: `Bearer ${server.token}` }
    const send = async (path: string, json: object | undefined, method = 'POST') => {
      const answer = await server.call(method, path, { token: null, headers: bearer, ...(json && { json }) })
      assert.ok(answer.status < 400, answer.text)
      return answer
    }
    const mapping = '# compiler: R8\ncom.example.Cart -> a.b:\n    void open() -> a\n'
    const sha1 = createHash('sha1').update(mapping).digest('hex')
    const difs = '/api/0/projects/any/shop/files/difs/assemble/'
    const file = { name: '/proguard/5db7294d-87fc-5726-a5c0-4a90679657a5.txt', chunks: [sha1] }
    await send(difs, { [sha1]: file })
    const form = new FormData()
    form.append('file', new Blob([mapping]), sha1)
    const chunks = await server.call('POST', '/api/0/organizations/any/chunk-upload/', {
      token: null,
      headers: bearer,
      body: form,
    })
    assert.equal(chunks.status, 200, chunks.text)
    await audit.expectEvents('a question for chunks, and chunks', [])
    await send(difs, { [sha1]: file })
    await audit.expectEvents('symbols of sentry-cli', ['symbolsFile.upload'])
    const releases = '/api/0/organizations/any/releases/'
    await send(releases, { version: 'shop@1.0', projects: ['shop'] })
    await audit.expectEvents('a release', ['release.save'])
    await send(`${releases}shop@1.0/deploys/`, { environment: 'production' })
    await audit.expectEvents('a deploy', ['release.deploy'])
    await send(`${releases}shop@1.0/`, undefined, 'DELETE')
    await audit.expectEvents('a release that goes', ['release.delete'])

    await write('PATCH /v1/workspace', { json: { agentWrites: true } })
    await using agent = await connectAgent(server, { path: '/mcp/write' })
    await agent.call('set_release_notes', { buildId: ids['buildId'], releaseNotes: 'by an agent' })
    await audit.expectEvents('an agent', ['build.update'])
    const { json: tests } = await server.call('GET', `/v1/applications/${ids['applicationId']}/tests`)
    await agent.call('quarantine_test', { testId: tests[0].id, reason: 'flaky' })
    await audit.expectEvents('an agent', ['quarantine.create'])
    await agent.call('set_crash_status', { crashGroupId: ids['crashGroupId'], status: 'ignored' })
    await audit.expectEvents('an agent', ['crashGroup.update'])
    await server.call('GET', '/v1/devices/export')
    await audit.expectEvents('a list of devices that leaves', ['device.export'])
    await write('DELETE /v1/distributionGroups/{distributionGroupId}')
  })

  it('was made, and every action that the source names was seen', async () => {
    const unmade = [...audit.operations.keys()].filter((operation) => !audit.made.has(operation))
    // It works on an empty server only, and its own test makes it; there is no audit log before it.
    assert.deepEqual(unmade, ['POST /v1/setup'])
    const unseen = listNamedActions().filter((action) => !audit.seen.has(action))
    assert.deepEqual(unseen, [])
  })
})

/** The actions that the source of the server names where it records one. */
function listNamedActions(): string[] {
  const source = joinPath(import.meta.dirname, '..')
  const files = globSync('**/*.ts', { cwd: source }).filter((file) => !/\.test\.ts$|^testing\/|^db\//.test(file))
  const named = files.flatMap((file) =>
    readFileSync(joinPath(source, file), 'utf8')
      .split('\n')
      .filter((line) => /\baction\b|\brecord\w*\(/.test(line))
      .flatMap((line) => [...line.matchAll(/'([a-z]\w+\.[a-z]\w+)'/g)].map(([, name = '']) => name)),
  )
  const others = new Set<string>(hookEventTypes)
  return [...new Set(named)].filter((name) => !others.has(name) && !/^(builds|blobs)\./.test(name)).toSorted()
}
