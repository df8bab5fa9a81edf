import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { type HookFormat, hookFormats } from '@fairlead/contract'
import { type HookReceiver, type ReceivedDelivery, startHookReceiver } from '../../testing/hook-receiver.ts'
import { startServer, type TestServer } from '../../testing/start-server.ts'
import { createApplication, uploadApk } from '../../testing/upload.ts'

const branch = 'feature/<!channel>-@all'
const notes = `<!here> <at id="all"></at> @channel & [free](https://evil.example.com) ${'n'.repeat(5000)}`

describe('Hooks of chats', () => {
  let server: TestServer
  const receivers = new Map<HookFormat, HookReceiver>()
  const received = new Map<HookFormat, ReceivedDelivery>()
  let installUrl = ''

  before(async () => {
    for (const format of hookFormats) receivers.set(format, await startHookReceiver())
    const allow = [...receivers.values()].map(({ host }) => host).join(',')
    server = await startServer({ FAIRLEAD_HOOKS_ALLOW: allow, FAIRLEAD_HOOK_RETRY_SECONDS: '0.1' })
    await createApplication(server, 'shop')
    for (const [format, { url }] of receivers) {
      const events = ['build.distributed']
      const json = { name: format, url, format, events, includes: ['installLinks', 'texts'], feishuSecret: 'key' }
      const hook = await server.call('POST', '/v1/hooks', { json })
      assert.equal(hook.status, 201, hook.text)
    }
    receivers.get('feishu')?.answerWith((response) => response.end('{"code":0,"msg":"success"}'))
    const build = await uploadApk(server, { alias: 'shop', headers: { 'X-Service-Branch': branch } })
    installUrl = build.installUrl
    await server.call('PATCH', `/v2/builds/${build.id}`, { json: { releaseNotes: notes } })
    const group = await server.call('POST', '/v1/distributionGroups', { json: { name: '@here <QA>' } })
    const json = { distributionGroupIds: [group.json.id] }
    const distributed = await server.call('POST', `/v1/builds/${build.id}/distribute`, { json })
    assert.equal(distributed.status, 201, distributed.text)
    for (const [format, receiver] of receivers) received.set(format, await receiver.waitFor(() => true))
  })
  after(async () => {
    await server[Symbol.asyncDispose]()
    for (const receiver of receivers.values()) await receiver[Symbol.asyncDispose]()
  })

  const find = (format: HookFormat): ReceivedDelivery => {
    const delivery = received.get(format)
    assert.ok(delivery)
    return delivery
  }

  it('show the app, its version and what happened, with buttons to open and install, within the limits', () => {
    for (const format of hookFormats) {
      const { text, headers } = find(format)
      assert.ok(Buffer.byteLength(text) <= 20_000, format)
      assert.equal(headers['content-type'], 'application/json')
      assert.equal('webhook-signature' in headers, format === 'standard')
      if (format === 'standard') continue
      assert.match(text, /shop 1\.0 \\*\(1\\*\) for Android was distributed/, format)
      assert.ok(text.includes(installUrl), format)
      assert.ok(!text.includes('n'.repeat(2001)) && text.includes('n'.repeat(1500)), format)
    }
  })

  it('of Slack escape what would call everybody', () => {
    const { json, text } = find('slack')
    assert.deepEqual(Object.keys(json), ['text', 'blocks'])
    assert.ok(!text.includes('<!'))
    assert.ok(text.includes('feature/&lt;!channel&gt;-@all'))
    assert.ok(json.blocks[0].text.text.length <= 150)
  })

  it('of Teams are an adaptive card', () => {
    const { json, text } = find('teams')
    assert.equal(json.type, 'message')
    assert.equal(json.attachments[0].contentType, 'application/vnd.microsoft.card.adaptive')
    assert.equal(json.attachments[0].content.type, 'AdaptiveCard')
    assert.ok(!text.includes('<at'))
  })

  it('of Discord are an embed that mentions nobody', () => {
    const { json } = find('discord')
    assert.deepEqual(json.allowed_mentions, { parse: [] })
    assert.ok(json.embeds[0].description.length <= 4096)
    assert.ok(!json.embeds[0].description.includes('[free](https'))
  })

  it('of Google Chat are a card whose texts hold no tags', () => {
    const { json, text } = find('googleChat')
    assert.ok(Array.isArray(json.cardsV2[0].card.sections))
    assert.ok(!text.includes('<!here>') && text.includes('&lt;!here&gt;'))
  })

  it('of Feishu are signed over an empty message, and succeed only with the code 0', async () => {
    const { json, text } = find('feishu')
    const sign = createHmac('sha256', `${json.timestamp}\nkey`).update('').digest('base64')
    assert.equal(json.sign, sign)
    assert.ok(Math.abs(Number(json.timestamp) * 1000 - Date.now()) < 60_000)
    assert.equal(json.msg_type, 'interactive')
    assert.ok(!text.includes('<at'))
    receivers.get('feishu')?.answerWith((response) => response.end('{"code":19021,"msg":"sign match fail"}'))
    const { json: hooks } = await server.call('GET', '/v1/hooks')
    const hook = hooks.find((one: { format: string }) => one.format === 'feishu')
    const { json: test } = await server.call('POST', `/v1/hooks/${hook.id}/test`)
    let delivery = test
    while (delivery.state === 'waiting') {
      delivery = (await server.call('GET', `/v1/hookDeliveries/${test.id}`)).json
    }
    assert.deepEqual([delivery.state, delivery.lastStatus, delivery.lastError], ['failed', 200, 'refusedByChat'])
  })

  it('of Mattermost break every mention', () => {
    const { json, text } = find('mattermost')
    assert.deepEqual(Object.keys(json), ['text', 'attachments'])
    assert.ok(!/@\w/.test(text))
  })
})
