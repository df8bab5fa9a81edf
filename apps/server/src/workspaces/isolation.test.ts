import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { signMessage } from '@fairlead/binary'
import { createSigner } from '@fairlead/binary/fixture'
import { invite, join } from '../testing/browser.ts'
import { deliver, waitUntilRead } from '../testing/crashes.ts'
import { createPng } from '../testing/pictures.ts'
import { createSecondWorkspace } from '../testing/second-workspace.ts'
import { sendFeedback } from '../testing/send-feedback.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
import { uploadReport } from '../testing/test-reports.ts'
import { uploadApk } from '../testing/upload.ts'

describe('a workspace', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const stranger = await createSecondWorkspace(server)
  const ids = await fill(server)

  it('does not appear in the lists of another', async () => {
    for (const path of [
      '/v1/applications',
      '/v1/applicationOverviews',
      '/v1/distributionGroups',
      '/v1/testers',
      '/v1/members',
      '/v1/invitations',
      '/v1/mails',
      '/v1/hooks',
    ]) {
      const own = await server.call('GET', path)
      assert.ok(own.json.length > 0, path)
      const foreign = await server.call('GET', path, { token: stranger })
      assert.deepEqual(foreign.json, [], path)
    }
    const tokens = await server.call('GET', '/v1/apiTokens', { token: stranger })
    assert.equal(tokens.json.length, 1)
  })

  it('has no text in any answer that another workspace gets without an id', async () => {
    const { json: openapi } = await server.call('GET', '/openapi.json', { token: null })
    const texts = [
      'Testers of the first',
      'tester@example.com',
      'receiver.invalid',
      'The chart is empty',
      'a'.repeat(40),
    ]
    const found = new Set<string>()
    for (const [path, operations] of Object.entries<Record<string, { security?: unknown }>>(openapi.paths)) {
      if (path.includes('{') || !path.startsWith('/v1/') || operations['get'] === undefined) continue
      // The stream of events never ends; events/routes.test.ts shows that it tells another workspace nothing.
      if (path === '/v1/events') continue
      const own = await server.call('GET', path)
      for (const text of texts) if (own.text.includes(text)) found.add(text)
      const foreign = await server.call('GET', path, { token: stranger })
      const shown = texts.filter((text) => foreign.text.includes(text))
      assert.deepEqual(shown, [], `GET ${path} answered ${foreign.text}`)
    }
    assert.ok(found.size >= 3, `its own lists show ${[...found].join(', ')}`)
    for (const query of [`missingIn=${ids['buildId']}`, `distributionGroupId=${ids['distributionGroupId']}`]) {
      assert.equal((await server.call('GET', `/v1/devices/export?${query}`, { token: stranger })).status, 404)
    }
  })

  it('reveals nothing by id on any endpoint that takes one', async () => {
    const { json: openapi } = await server.call('GET', '/openapi.json', { token: null })
    let tried = 0
    for (const [template, operations] of Object.entries<Record<string, { security?: unknown }>>(openapi.paths)) {
      if (!template.includes('{')) continue
      const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        assert.ok(name in ids, `${template}: this test has no ${name}`)
        return String(ids[name])
      })
      for (const [method, operation] of Object.entries(operations)) {
        // Operations on an account instead of a workspace take no token.
        if (JSON.stringify(operation.security) === '[{"session":[]}]') continue
        const body = ['get', 'head', 'delete'].includes(method) ? {} : { json: bodies[template] ?? {} }
        const answer = await server.call(method.toUpperCase(), path + (queries[template] ?? ''), {
          token: stranger,
          ...body,
        })
        assert.equal(answer.status, 404, `${method} ${template} answered ${answer.status} ${answer.text}`)
        tried++
      }
    }
    assert.ok(tried >= 15, `only ${tried} endpoints take an id`)
  })

  it("does not accept uploads by another's alias", async () => {
    for (const path of ['/v2/builds', '/v2/symbolsFiles', '/v1/testReports']) {
      const headers = { 'X-Service-Application-Alias': 'shop' }
      const answer = await server.call('POST', path, { token: stranger, headers, body: 'x' })
      assert.equal(answer.status, 404)
      assert.equal(answer.json.detail, 'No application with the given alias exists in the workspace')
    }
  })

  it("does not distribute to another's groups", async () => {
    await server.call('POST', '/v1/applications', {
      token: stranger,
      json: { name: 'Own', alias: 'own', platform: 'android' },
    })
    const build = await uploadApk(server, { alias: 'own', token: stranger })
    for (const json of [
      { distributionGroupIds: [ids.distributionGroupId] },
      { distributionGroupNames: ['Testers of the first'] },
    ]) {
      const answer = await server.call('POST', `/v1/builds/${build.id}/distribute`, { token: stranger, json })
      assert.equal(answer.status, 422)
    }
  })
})

/** Queries of endpoints that refuse a request without them. */
const queries: Record<string, string> = {
  '/v1/applications/{applicationId}/crashes': '?installId=one',
  '/v1/applications/{applicationId}/buildFacts': '?ids=1',
}

const bodies: Record<string, unknown> = {
  '/v1/distributionGroups/{distributionGroupId}': { name: 'Stolen' },
  '/v1/distributionGroups/{distributionGroupId}/testers': { emails: ['thief@example.com'] },
  '/v1/builds/{buildId}/distribute': { distributionGroupNames: ['x'] },
  '/v1/applications/{applicationId}/latestLinks': { name: 'Stolen' },
  '/v1/applications/{applicationId}/alertRules': { name: 'Stolen', kind: 'feedback' },
  '/v1/applications/{applicationId}/retention': { isEnabled: true, rules: [] },
  '/v1/members/{accountId}': { role: 'admin' },
  '/v1/feedback/{feedbackId}': { status: 'done' },
  '/v1/devices/{deviceId}': { name: 'Stolen' },
  '/v1/applications/{applicationId}/crashKeys': { name: 'Stolen' },
  '/v1/applications/{applicationId}/crashRules': { rules: [] },
  '/v1/applications/{applicationId}/owners': { content: '' },
  '/v1/hooks/{hookId}/redeliver': { since: '2026-11-21T09:30:00.000Z' },
  '/v1/applications/{applicationId}/testSplits': { key: 'ci-1' },
  '/v1/crashGroups/{crashGroupId}/merge': { groupIds: [1] },
  '/v1/crashGroups/{crashGroupId}/split': { stackIds: [1] },
}

/** Creates one of each resource in the first workspace; the keys are the names of the ids in paths. */
async function fill(server: TestServer): Promise<Record<string, number | string>> {
  const application = await server.call('POST', '/v1/applications', {
    json: { name: 'Shop', alias: 'shop', platform: 'android' },
  })
  const build = await uploadApk(server, { alias: 'shop' })
  await server.call('POST', '/v2/symbolsFiles', {
    headers: {
      'X-Service-Application-Alias': 'shop',
      'X-Service-Package': 'com.example.shop',
      'X-Service-Version-Name': '1.0',
      'X-Service-Version-Code': '1',
    },
    body: 'com.example.Shop -> a:\n    void open() -> a\n',
  })
  const symbols = await server.call('GET', `/v1/applications/${application.json.id}/symbolsFiles`)
  const group = await server.call('POST', '/v1/distributionGroups', { json: { name: 'Testers of the first' } })
  const testers = await server.call('POST', `/v1/distributionGroups/${group.json.id}/testers`, {
    json: { emails: ['tester@example.com'] },
  })
  const token = await server.call('POST', '/v1/apiTokens', { json: { name: 'ci', role: 'developer' } })
  const pictures = [{ name: 'a.png', bytes: createPng() }]
  const feedback = await sendFeedback(server, build.installUrl, { text: 'The chart is empty', pictures })
  const run = await server.call('POST', `/v1/applications/${application.json.id}/retention/runs`)
  const link = await server.call('POST', `/v1/applications/${application.json.id}/latestLinks`, {
    json: { name: 'Wall', distributionGroupId: group.json.id },
  })
  const rule = await server.call('POST', `/v1/applications/${application.json.id}/alertRules`, {
    json: { name: 'Feedback', kind: 'feedback' },
  })
  await server.call('POST', `/v1/builds/${build.id}/distribute`, {
    json: { distributionGroupIds: [group.json.id], notifyTesters: true },
  })
  const deviceId = await addDevice(server, testers.json[0])
  return {
    deviceId,
    applicationId: application.json.id,
    buildId: build.id,
    distributionGroupId: group.json.id,
    testerId: testers.json[0].id,
    symbolsFileId: symbols.json[0].id,
    retentionRunId: run.json.id,
    apiTokenId: token.json.id,
    latestLinkId: link.json.id,
    feedbackId: feedback.json.id,
    number: 1,
    alertRuleId: rule.json.id,
    uploadId: await startUpload(server),
    ...(await fillWithHooks(server)),
    ...(await fillWithTests(server, application.json.id)),
    ...(await fillWithPeople(server)),
    ...(await fillWithCrashes(server, application.json.id)),
  }
}

async function fillWithHooks(server: TestServer): Promise<Record<string, number>> {
  const json = { name: 'CI', url: 'https://receiver.invalid/', events: ['*'] }
  const hook = await server.call('POST', '/v1/hooks', { json })
  const delivery = await server.call('POST', `/v1/hooks/${hook.json.id}/test`)
  return { hookId: hook.json.id, hookDeliveryId: delivery.json.id }
}

/** Has a device of a tester tell its UDID. */
async function addDevice(server: TestServer, tester: { id: number; pageUrl: string }): Promise<number> {
  const page = new URL(tester.pageUrl).pathname
  const profile = await server.call('GET', `${page}/device.mobileconfig`, { token: null })
  const challenge = /\/devices\/([\w.-]+)</.exec(profile.text)?.[1] ?? ''
  const signer = createSigner()
  const list = `<plist><dict><key>UDID</key><string>${'a'.repeat(40)}</string>
    <key>CHALLENGE</key><string>${challenge}</string></dict></plist>`
  const message = signMessage(Buffer.from(list), { certificates: [signer.certificate], privateKey: signer.privateKey })
  await server.call('POST', `/devices/${challenge}`, { token: null, body: new Uint8Array(message) })
  const { json: devices } = await server.call('GET', `/v1/testers/${tester.id}/devices`)
  return devices[0].id
}

/** Starts an upload that nobody finishes. */
async function startUpload(server: TestServer): Promise<string> {
  const headers = { 'Tus-Resumable': '1.0.0', 'Upload-Length': '9', 'X-Service-Application-Alias': 'shop' }
  const answer = await server.call('POST', '/v2/uploads', { headers })
  return answer.headers.get('location')?.split('/').at(-1) ?? ''
}

async function fillWithCrashes(server: TestServer, applicationId: number): Promise<Record<string, number>> {
  const path = `/v1/applications/${applicationId}`
  const { json: key } = await server.call('POST', `${path}/crashKeys`, { json: { name: 'Apps' } })
  const trace = 'java.lang.Error: x\n\tat com.example.Shop.open(Shop.java:1)'
  await deliver(server, { id: applicationId, key: key.key, sentryDsn: key.sentryDsn }, 'raw', trace)
  await waitUntilRead(server, applicationId)
  const { json: groups } = await server.call('GET', `${path}/crashGroups`)
  const { json: crashes } = await server.call('GET', `/v1/crashGroups/${groups[0].id}/crashes`)
  return { crashKeyId: key.id, crashGroupId: groups[0].id, crashId: crashes[0].id, key: 7 }
}

async function fillWithTests(server: TestServer, applicationId: number): Promise<Record<string, number>> {
  const attached = '<system-out>[[ATTACHMENT|data:text/plain;base64,aGVsbG8=]]</system-out><failure message="x"/>'
  const report = `<testsuite name="s"><testcase name="a" classname="A">${attached}</testcase></testsuite>`
  const { run } = await uploadReport(server, report)
  const results = await server.call('GET', `/v1/testRuns/${run.id}/results`)
  const { testId, failureId } = results.json[0]
  const quarantine = await server.call('POST', `/v1/applications/${applicationId}/quarantine`, {
    json: { testId, reason: 'late' },
  })
  const failure = await server.call('GET', `/v1/testFailures/${failureId}`)
  return {
    testRunId: run.id,
    testId,
    testFailureId: failureId,
    testAttachmentId: failure.json.attachments[0].id,
    quarantineId: quarantine.json.id,
  }
}

async function fillWithPeople(server: TestServer): Promise<Record<string, number>> {
  const member = await join(server, { email: 'member@example.com', role: 'admin' })
  await invite(server, { email: 'invited@example.com', role: 'admin' })
  const invitations = await server.call('GET', '/v1/invitations')
  const mails = await server.call('GET', '/v1/mails')
  assert.ok(member.session)
  return {
    accountId: member.session.account.id,
    invitationId: invitations.json[0].id,
    mailId: mails.json[0].id,
    // Identities belong to an account, and their routes take no token.
    identityId: 1,
    sessionId: (await member.call('GET', '/v1/sessions')).json[0].id,
  }
}
