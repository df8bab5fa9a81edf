import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { parsePlist, signMessage, verifyMessage } from '@fairlead/binary'
import { createSigner } from '@fairlead/binary/fixture'
import type { Device } from '@fairlead/contract'
import { openDatabase } from '../db/open.ts'
import { openSigningKey } from '../secrets/signing-key.ts'
import { type AppleServer, startAppleServer } from '../testing/apple-api.ts'
import { createSecondWorkspace } from '../testing/second-workspace.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
import { createApplication, uploadApk, uploadIpa } from '../testing/upload.ts'
import { userAgents } from '../testing/user-agents.ts'
import { challengeLifetime, createChallenge } from './challenge.ts'

const udid = '00008110-001A2B3C4D5E6F70'
const signer = createSigner({ commonName: 'Apple iPhone Device CA' })

/** What a device sends, signed with its certificate. */
function sign(fields: Record<string, string>): Buffer {
  const entries = Object.entries(fields).map(([key, value]) => `<key>${key}</key><string>${value}</string>`)
  const list = `<?xml version="1.0"?><plist version="1.0"><dict>${entries.join('')}</dict></plist>`
  return signMessage(Buffer.from(list), { certificates: [signer.certificate], privateKey: signer.privateKey })
}

describe('A device', () => {
  let server: TestServer
  let apple: AppleServer
  let tester: { id: number; pageUrl: string }
  let groupId: number

  before(async () => {
    apple = await startAppleServer()
    server = await startServer({
      FAIRLEAD_APPLE_API_URL: apple.url,
      FAIRLEAD_SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    })
    groupId = (await server.call('POST', '/v1/distributionGroups', { json: { name: 'Beta' } })).json.id
    const json = { emails: ['Ada Holm <ada@example.com>', 'bob@example.com'] }
    const added = await server.call('POST', `/v1/distributionGroups/${groupId}/testers`, { json })
    tester = added.json.find((one: { email: string }) => one.email === 'ada@example.com')
  })
  after(async () => {
    await server[Symbol.asyncDispose]()
    await apple[Symbol.asyncDispose]()
  })

  const ask = async (): Promise<{ path: string; challenge: string }> => {
    const answer = await server.call('GET', `${new URL(tester.pageUrl).pathname}/device.mobileconfig`, { token: null })
    assert.equal(answer.headers.get('content-type'), 'application/x-apple-aspen-config')
    const { PayloadType: type, PayloadContent: content } = Object(parsePlist(answer.bytes))
    assert.deepEqual([type, content.DeviceAttributes], ['Profile Service', ['UDID', 'PRODUCT', 'VERSION']])
    return { path: new URL(content.URL).pathname, challenge: content.Challenge }
  }
  const post = (path: string, message: Buffer) =>
    server.call('POST', path, {
      token: null,
      headers: { 'Content-Type': 'application/pkcs7-signature' },
      body: new Uint8Array(message),
    })
  const list = async (): Promise<Device[]> => (await server.call('GET', '/v1/devices')).json
  const add = async (id: string): Promise<Device> => {
    const { path, challenge } = await ask()
    const fields = { UDID: id, PRODUCT: 'iPhone14,2', VERSION: '22A3354', CHALLENGE: challenge }
    assert.equal((await post(path, sign(fields))).status, 301)
    const device = (await list()).find((one) => one.udid === id)
    assert.ok(device)
    return device
  }

  it('tells its UDID once for each challenge, and is sent to the page of its tester', async () => {
    const { path, challenge } = await ask()
    assert.notEqual(challenge, (await ask()).challenge)
    const answers = { PRODUCT: 'iPhone14,2', VERSION: '22A3354', CHALLENGE: challenge }
    const first = await post(path, sign({ UDID: udid, ...answers }))
    assert.deepEqual([first.status, first.headers.get('location')], [301, tester.pageUrl], first.text)
    assert.equal((await post(path, sign({ UDID: udid, ...answers }))).status, 301, 'the same device again')
    assert.equal((await post(path, sign({ UDID: 'a'.repeat(40), ...answers }))).status, 410, 'another device')
    const [device, ...others] = await list()
    assert.deepEqual(others, [])
    assert.ok(device)
    const { id: _id, createdDate: _date, ...facts } = device
    assert.deepEqual(facts, {
      tester: { id: tester.id, email: 'ada@example.com', name: 'Ada Holm' },
      udid,
      product: 'iPhone14,2',
      osVersion: '22A3354',
      name: 'Ada Holm, iPhone14,2',
      isAppleSigned: false,
      apple: { state: 'none', detail: null },
    })
    assert.deepEqual((await server.call('GET', `/v1/testers/${tester.id}/devices`)).json, [device])
    const { json: events } = await server.call('GET', '/v1/auditEvents?limit=1')
    assert.deepEqual([events[0].action, events[0].actor.name], ['device.add', 'ada@example.com'])
  })

  it('is refused when its answer is none, was changed, is too long, too late, or to another challenge', async () => {
    const { path, challenge } = await ask()
    const right = { UDID: udid, CHALLENGE: challenge }
    const changed = sign(right)
    const at = changed.indexOf(udid)
    changed.write('1', at + 1, 'latin1')
    const refused: [string, Buffer][] = [
      ['nothing', Buffer.alloc(0)],
      ['no message', Buffer.from('<plist/>')],
      ['a changed one', changed],
      ['no UDID', sign({ CHALLENGE: challenge })],
      ['a wrong UDID', sign({ UDID: '00008110-001A2B3C4D5E6F7', CHALLENGE: challenge })],
      ['no challenge', sign({ UDID: udid })],
      ['another challenge', sign({ UDID: udid, CHALLENGE: (await ask()).challenge })],
    ]
    for (const [name, message] of refused) {
      const answer = await post(path, message)
      assert.deepEqual([answer.status, answer.json.title], [422, 'Unprocessable Content'], name)
    }
    assert.equal((await post(path, Buffer.alloc(64 * 1024 + 1))).status, 413)
    assert.equal((await post(`${path}x`, sign(right))).status, 404)
    assert.equal((await post('/devices/nobody', sign(right))).status, 404)
    const { db } = await openDatabase({ databaseUrl: server.databaseUrl, dataDir: server.dataDir })
    const key = await openSigningKey(db)
    const asked = await db.selectFrom('testers').selectAll().where('id', '=', tester.id).executeTakeFirstOrThrow()
    await db.destroy()
    const late = createChallenge(key, asked, Date.now() - challengeLifetime - 1000)
    assert.equal((await post(`/devices/${late}`, sign({ UDID: udid, CHALLENGE: late }))).status, 410)
    const live = createChallenge(key, asked)
    assert.equal((await post(`/devices/${live}`, sign({ UDID: udid, CHALLENGE: live }))).status, 301)
    await server.call('POST', `/v1/testers/${tester.id}/renewLink`)
    assert.equal((await post(`/devices/${live}`, sign({ UDID: udid, CHALLENGE: live }))).status, 404, 'renewed')
    tester = (await server.call('GET', '/v1/testers')).json.find((one: { id: number }) => one.id === tester.id)
  })

  it('is shown to developers, renamed by them, and deleted by administrators and its tester', async () => {
    const device = await add('b'.repeat(40))
    const { json: viewer } = await server.call('POST', '/v1/apiTokens', { json: { name: 'tv', role: 'viewer' } })
    const { json: developer } = await server.call('POST', '/v1/apiTokens', { json: { name: 'ci', role: 'developer' } })
    const path = `/v1/devices/${device.id}`
    for (const hidden of ['/v1/devices', '/v1/devices/export', `/v1/testers/${tester.id}/devices`]) {
      assert.equal((await server.call('GET', hidden, { token: viewer.token })).status, 403, hidden)
    }
    const renamed = await server.call('PATCH', path, { json: { name: "Ada's iPad" }, token: developer.token })
    assert.equal(renamed.json.name, "Ada's iPad")
    assert.equal((await server.call('PATCH', path, { json: { name: 'x'.repeat(51) } })).status, 400)
    assert.equal((await server.call('DELETE', path, { token: developer.token })).status, 403)
    assert.equal((await server.call('DELETE', path)).status, 204)
    const again = await server.call('DELETE', path)
    assert.deepEqual([again.status, again.json.detail], [404, 'The device with the given ID does not exist'])
    const own = await add('c'.repeat(40))
    const page = new URL(tester.pageUrl).pathname
    const shown = await server.call('GET', page, { token: null, headers: { 'User-Agent': userAgents.iphone } })
    assert.match(shown.text, new RegExp(`name="remove" value="${own.id}"`))
    const remove = (id: number) =>
      server.call('POST', `${page}/devices`, {
        token: null,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: `remove=${id}`,
      })
    assert.equal((await remove(own.id)).status, 303)
    assert.ok((await list()).every(({ id }) => id !== own.id))
    assert.equal((await remove(own.id)).status, 303)
  })

  it('is listed by builds that name it in their profile, and exported where it is missing', async () => {
    await createApplication(server, 'shop', 'ios')
    const listed = await uploadIpa(server, {
      alias: 'shop',
      ipa: { profile: { type: 'ad-hoc', devices: [udid.toLowerCase()] } },
    })
    const build = await uploadIpa(server, { alias: 'shop', ipa: { version: '2' } })
    const other = await add('D'.repeat(40))
    await server.call('POST', `/v1/builds/${build.id}/distribute`, { json: { distributionGroupIds: [groupId] } })
    const inProfile = async (id: number) =>
      new Map(
        (await server.call('GET', `/v1/builds/${id}/devices`)).json.map(
          (one: { udid: string; isInProfile: boolean | null; isDistributed: boolean }) => [
            one.udid,
            [one.isInProfile, one.isDistributed],
          ],
        ),
      )
    assert.deepEqual((await inProfile(listed.id)).get(udid), [true, false])
    assert.deepEqual((await inProfile(listed.id)).get(other.udid), [false, false])
    assert.deepEqual((await inProfile(build.id)).get(udid), [false, true])
    await createApplication(server, 'droid')
    const apk = await uploadApk(server, { alias: 'droid' })
    assert.deepEqual((await inProfile(apk.id)).get(udid), [null, false])
    await server.call('PATCH', `/v1/devices/${other.id}`, { json: { name: 'Lab iPad' } })
    const all = await server.call('GET', '/v1/devices/export')
    assert.match(all.headers.get('content-type') ?? '', /^text\/plain/)
    const head = 'Device ID\tDevice Name\tDevice Platform\n'
    const lines = [`${other.udid}\tLab iPad\tios\n`, `${udid}\tAda Holm, iPhone14,2\tios\n`]
    assert.equal(all.text, head + lines.join(''))
    const missing = await server.call('GET', `/v1/devices/export?missingIn=${listed.id}`)
    assert.equal(missing.text, head + String(lines[0]))
    assert.equal((await server.call('GET', '/v1/devices/export?missingIn=999')).status, 404)
    const { json: empty } = await server.call('POST', '/v1/distributionGroups', { json: { name: 'Nobody' } })
    const ofGroup = async (id: number) => server.call('GET', `/v1/devices/export?distributionGroupId=${id}`)
    assert.equal((await ofGroup(groupId)).text, all.text)
    assert.equal((await ofGroup(empty.id)).text, head)
    assert.equal((await ofGroup(999)).status, 404)
    const { json: events } = await server.call('GET', '/v1/auditEvents')
    assert.ok(events.some(({ action }: { action: string }) => action === 'device.export'))
    const stranger = await createSecondWorkspace(server)
    assert.equal(
      (await server.call('GET', `/v1/devices/export?missingIn=${listed.id}`, { token: stranger })).status,
      404,
    )
  })

  it('is said to be missing on the personal page of a build, before the tap', async () => {
    const builds = await server.call('GET', `${new URL(tester.pageUrl).pathname}/builds.json`, { token: null })
    const { pathname } = new URL(builds.json[0].installUrl)
    const headers = { 'User-Agent': userAgents.iphone, Accept: 'text/html' }
    const page = await server.call('GET', pathname, { token: null, headers })
    assert.match(page.text, /Your device is not in this build yet/)
    assert.doesNotMatch(page.text, /Only for registered devices/)
    const profile = await server.call('GET', `${pathname}/device.mobileconfig`, { token: null })
    assert.match(profile.text, /Profile Service/)
  })

  it('is registered at Apple by the key of the workspace, which is tried, encrypted and never shown', async () => {
    const { issuerId, keyId, privateKey } = apple
    const save = (json: unknown) => server.call('PUT', '/v1/appStoreConnect', { json })
    const [device] = await list()
    assert.ok(device)
    assert.equal((await server.call('POST', `/v1/devices/${device.id}/register`)).status, 422, 'no key yet')
    const wrongKey = createSigner().privateKey.export({ format: 'pem', type: 'pkcs8' })
    const refused = await save({ issuerId, keyId, privateKey: wrongKey })
    assert.deepEqual([refused.status, refused.json.detail], [422, 'The key was not accepted: The signature is wrong'])
    assert.equal((await save({ issuerId, keyId, privateKey: 'no key' })).status, 422)
    const saved = await save({ issuerId, keyId, privateKey })
    assert.equal(saved.status, 200, saved.text)
    assert.ok(!(await server.call('GET', '/v1/appStoreConnect')).text.includes('PRIVATE'))

    const state = async (): Promise<Device['apple']> => {
      const { json }: { json: Device[] } = await server.call('GET', '/v1/devices')
      return json.find(({ id }) => id === device.id)?.apple ?? { state: 'none', detail: null }
    }
    const register = async () => {
      const answer = await server.call('POST', `/v1/devices/${device.id}/register`)
      assert.deepEqual([answer.status, answer.json.apple.state], [202, 'waiting'])
      for (;;) {
        const now = await state()
        if (now.state !== 'waiting') return now
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    apple.failures = [503]
    assert.deepEqual(await register(), { state: 'registered', detail: null })
    assert.deepEqual(apple.devices, [{ udid: device.udid, name: device.name, status: 'ENABLED' }])
    apple.devices[0] = { udid: device.udid.toLowerCase(), name: 'By hand', status: 'ENABLED' }
    assert.deepEqual(await register(), { state: 'registered', detail: null }, 'Apple has it already')
    apple.devices.pop()
    apple.nextStatus = 'PROCESSING'
    assert.equal((await register()).state, 'processing')
    apple.devices.pop()
    apple.failures = [422]
    assert.deepEqual(await register(), { state: 'refused', detail: 'It failed with 422' })
    assert.equal((await server.call('DELETE', '/v1/appStoreConnect')).status, 204)
    assert.equal((await server.call('GET', '/v1/appStoreConnect')).status, 404)
  })
})

it('The profile for devices is signed with the certificate of the operator; a wrong one stops the start', async () => {
  const own = createSigner()
  await using server = await startServer()
  const certificate = join(server.dataDir, 'profile.pem')
  const key = join(server.dataDir, 'profile.key')
  await writeFile(certificate, toPem('CERTIFICATE', own.certificate))
  await writeFile(key, own.privateKey.export({ format: 'pem', type: 'pkcs8' }))
  const settings = { FAIRLEAD_PROFILE_CERT_FILE: certificate, FAIRLEAD_PROFILE_KEY_FILE: key }
  {
    await using signing = await startServer(settings)
    const { json: group } = await signing.call('POST', '/v1/distributionGroups', { json: { name: 'Beta' } })
    const path = `/v1/distributionGroups/${group.id}/testers`
    const { json } = await signing.call('POST', path, { json: { emails: ['ada@example.com'] } })
    const profile = `${new URL(json[0].pageUrl).pathname}/device.mobileconfig`
    const { bytes } = await signing.call('GET', profile, { token: null })
    assert.match(verifyMessage(bytes).content.toString(), /Profile Service/)
    const save = { issuerId: '57246542-96fe-1a63-e053-0824d011072a', keyId: '2X9R4HXF34', privateKey: 'x' }
    const refused = await signing.call('PUT', '/v1/appStoreConnect', { json: save })
    assert.deepEqual([refused.status, /FAIRLEAD_SECRETS_KEY/.test(refused.json.detail)], [422, true])
  }
  await writeFile(
    key,
    createPrivateKey(createSigner().privateKey.export({ format: 'pem', type: 'pkcs8' })).export({
      format: 'pem',
      type: 'pkcs8',
    }),
  )
  await assert.rejects(startServer(settings), /FAIRLEAD_PROFILE_KEY_FILE is not the key/)
  await assert.rejects(startServer({ FAIRLEAD_PROFILE_KEY_FILE: key }), /FAIRLEAD_PROFILE_CERT_FILE is missing/)
})

function toPem(label: string, der: Buffer): string {
  return `-----BEGIN ${label}-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`
}
