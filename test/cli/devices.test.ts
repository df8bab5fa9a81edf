import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { writeIpa } from '@fairlead/binary/fixture'
import type { Device } from '@fairlead/contract'
import { type AppleServer, startAppleServer } from '../../apps/server/src/testing/apple-api.ts'
import { answerDeviceQuestion, readDeviceQuestion } from '../processes/device-message.ts'
import { token } from '../processes/server-process.ts'
import { type Desk, openDesk } from './fairlead.ts'

const listed = '00008101-000A1C2E3F4B5D6E'
const other = '00008110-001A2B3C4D5E6F70'
const head = 'Device ID\tDevice Name\tDevice Platform\n'

describe('fairlead devices', { timeout: 300_000 }, () => {
  let desk: Desk
  let apple: AppleServer
  before(async () => {
    apple = await startAppleServer()
    desk = await openDesk({
      FAIRLEAD_APPLE_API_URL: apple.url,
      FAIRLEAD_SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    })
    const ipa = writeIpa({ bundleIdentifier: 'com.example.shop', profile: { type: 'ad-hoc', devices: [listed] } })
    await writeFile(join(desk.folder, 'app.ipa'), ipa)
    await desk.json('apps', 'create', 'shop', '--platform', 'ios', '--identifier', 'com.example.shop')
    await desk.json('groups', 'create', 'QA')
    await desk.json('groups', 'create', 'Nobody')
    await desk.json('testers', 'add', 'ada@example.com', '--group', 'QA')
    const [tester] = await desk.json('testers', 'list')
    for (const udid of [listed, other]) {
      const profile = await fetch(`${tester.pageUrl}/device.mobileconfig`)
      const question = readDeviceQuestion(new Uint8Array(await profile.arrayBuffer()))
      await answerDeviceQuestion(question, { UDID: udid, PRODUCT: 'iPad14,1', VERSION: '22A3354' })
    }
  })
  after(async () => {
    await desk?.[Symbol.asyncDispose]()
    await apple?.[Symbol.asyncDispose]()
  })

  const list = () => desk.json<Device[]>('devices')

  it('lists devices, and prints those that Apple lacks as Apple takes them', async () => {
    const devices = await list()
    assert.deepEqual(
      devices.map(({ udid, tester }) => [udid, tester.email]),
      [
        [other, 'ada@example.com'],
        [listed, 'ada@example.com'],
      ],
    )
    const { stdout } = await desk.fairlead(['devices'])
    assert.match(stdout, new RegExp(`${other}\\tada@example\\.com, iPad14,1\\tada@example\\.com\\tnone`))
    const build = await desk.json('builds', 'upload', 'app.ipa', '--app', 'shop')
    const lines = [other, listed].map((udid) => `${udid}\tada@example.com, iPad14,1\tios\n`)
    const exported = async (...flags: string[]) => (await desk.fairlead(['devices', 'export', ...flags])).stdout
    assert.equal(await exported(), head + lines.join(''))
    assert.equal(await exported('--missing-in', String(build.id)), head + String(lines[0]))
    const compared = await desk.json<{ udid: string; isInProfile: boolean }[]>(
      'devices',
      'list',
      '--build',
      String(build.id),
    )
    assert.deepEqual(
      compared.map(({ udid, isInProfile }) => [udid, isInProfile]),
      [
        [other, false],
        [listed, true],
      ],
    )
    assert.equal(await exported('--group', 'qa'), head + lines.join(''))
    assert.equal(await exported('--group', 'Nobody'), head)
    assert.equal((await desk.fairlead(['devices', 'export', '--missing-in', '999'])).code, 5)
    assert.equal((await desk.fairlead(['devices', 'export', '--group', 'None'])).code, 5)
  })

  it('renames a device, registers it at Apple under that name, and deletes it', async () => {
    const [device] = await list()
    assert.ok(device)
    const id = String(device.id)
    assert.equal((await desk.json('devices', 'rename', id, 'Lab iPad')).name, 'Lab iPad')
    const early = await desk.fairlead(['devices', 'register', id])
    assert.notEqual(early.code, 0)
    assert.match(early.stderr, /no key of App Store Connect/)
    const { issuerId, keyId, privateKey } = apple
    const saved = await fetch(`${desk.server.url}/v1/appStoreConnect`, {
      method: 'PUT',
      headers: { 'X-Service-Token': token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ issuerId, keyId, privateKey }),
    })
    assert.equal(saved.status, 200)
    const { stdout } = await desk.fairlead(['devices', 'register', id])
    assert.match(stdout, /^Lab iPad is being registered at Apple/)
    while ((await list())[0]?.apple.state === 'waiting') await new Promise((resolve) => setTimeout(resolve, 50))
    assert.equal((await list())[0]?.apple.state, 'registered')
    assert.deepEqual(apple.devices, [{ udid: other, name: 'Lab iPad', status: 'ENABLED' }])
    assert.deepEqual(await desk.json('devices', 'delete', id, '--yes'), { id: device.id, deleted: true })
    assert.equal((await desk.fairlead(['devices', 'delete', id, '--yes'])).code, 5)
    assert.equal((await list()).length, 1)
  })
})
