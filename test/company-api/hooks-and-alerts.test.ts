import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type HookReceiver, startHookReceiver, verify } from '../../apps/server/src/testing/hook-receiver.ts'
import { createApplication, uploadApk } from '../../apps/server/src/testing/upload.ts'
import { hasFields, startWalk, type Walk } from './walk.ts'

const hookFields = `id name url format events applicationIds includes isEnabled disabledReason disabledDate waitingCount
  lastSuccessDate lastFailureDate createdDate createdBy`
const deliveryFields = `id hookId webhookId type state attemptCount createdDate nextAttemptDate finishedDate lastStatus
  lastError redeliveryOf`
const ruleFields = `id applicationId name kind threshold windowMinutes minimum branch hookIds accountIds quietHours
  digestMinutes cooldownMinutes isEnabled state lastFiredDate`

describe('The API of hooks and alert rules', () => {
  let walk: Walk
  let receiver: HookReceiver
  let application: { id: number }
  before(async () => {
    receiver = await startHookReceiver()
    walk = await startWalk({ FAIRLEAD_HOOKS_ALLOW: receiver.host, FAIRLEAD_HOOK_RETRY_SECONDS: '1' })
    application = await createApplication(walk.server, 'shop')
  })
  after(async () => {
    await walk?.[Symbol.asyncDispose]()
    await receiver?.[Symbol.asyncDispose]()
  })

  it('creates, lists, changes and deletes hooks, for administrators only', async () => {
    const { ask, developer } = walk
    const json = { name: 'CI', url: receiver.url, events: ['build.uploaded'] }
    const hook = await ask('POST /v1/hooks', 201, { json })
    hasFields(hook, `${hookFields} secret`)
    assert.deepEqual(
      [hook.format, hook.applicationIds, hook.includes, hook.isEnabled, hook.disabledReason, hook.waitingCount],
      ['standard', null, [], true, null, 0],
    )
    assert.match(hook.secret, /^whsec_/)
    assert.equal(Buffer.from(hook.secret.slice(6), 'base64').length, 32)
    const [listed] = await ask('GET /v1/hooks', 200)
    const one = await ask(`GET /v1/hooks/${hook.id}`, 200)
    hasFields(one, hookFields)
    assert.deepEqual(listed, one)
    assert.ok(!('secret' in one))
    for (const path of ['/v1/hooks', `/v1/hooks/${hook.id}`, `/v1/hooks/${hook.id}/deliveries`]) {
      await ask(`GET ${path}`, 403, { token: developer })
    }
    const changed = await ask(`PATCH /v1/hooks/${hook.id}`, 200, {
      json: { name: 'CD', events: ['*'], applicationIds: [application.id], includes: ['texts'], isEnabled: false },
    })
    hasFields(changed, hookFields)
    assert.deepEqual(
      [changed.name, changed.events, changed.applicationIds, changed.includes, changed.isEnabled],
      ['CD', ['*'], [application.id], ['texts'], false],
    )
    assert.equal(changed.disabledReason, 'hand')
    assert.ok(changed.disabledDate)
    await walk.answer(`DELETE /v1/hooks/${hook.id}`, 204)
    const gone = await ask(`GET /v1/hooks/${hook.id}`, 404)
    assert.equal(gone.detail, 'The hook with the given ID does not exist')
  })

  it('refuses addresses, unknown events and formats, and a hook too many', async () => {
    const { ask } = walk
    const create = (changes: object, status: number) =>
      ask('POST /v1/hooks', status, { json: { name: 'x', url: 'https://example.com', events: ['*'], ...changes } })
    const refused = [
      'http://example.com/',
      'https://user:secret@example.com/',
      'https://user@example.com/',
      'ftp://example.com/',
      'no address',
      'https://127.0.0.1/',
      'https://127.1/',
      'https://0x7f.1/',
      'https://2130706433/',
      'https://0177.0.0.1/',
      'https://１２７.0.0.1/',
      'https://localhost/',
      'https://10.1.2.3/',
      'https://172.16.0.1/',
      'https://192.168.1.1/',
      'https://169.254.169.254/',
      'https://100.64.0.1/',
      'https://0.0.0.0/',
      'https://224.0.0.1/',
      'https://240.0.0.1/',
      'https://255.255.255.255/',
      'https://[::1]/',
      'https://[::]/',
      'https://[fd00::1]/',
      'https://[fe80::1]/',
      'https://[fec0::1]/',
      'https://[ff02::1]/',
      'https://[::ffff:127.0.0.1]/',
      'https://[::ffff:7f00:1]/',
      'https://[64:ff9b::7f00:1]/',
      'https://[64:ff9b:1::7f00:1]/',
      'https://[2002:7f00:1::]/',
      'https://[2001:0:7f00:1::]/',
      'https://[2001:0:5ef5:79fb:0:59d:80ff:fffe]/',
      'https://[fd00:ec2::254]/',
    ]
    for (const url of refused) {
      // A name is looked up when a delivery is made.
      if (url === 'https://localhost/') continue
      const { errors } = await create({ url }, 422)
      assert.equal(errors[0].source, '/url', url)
    }
    const own = await create({ url: 'https://localhost/' }, 201)
    await ask(`POST /v1/hooks/${own.id}/test`, 202)
    for (let waited = 0; ; waited++) {
      const [{ state, lastError, lastStatus }] = await ask(`GET /v1/hooks/${own.id}/deliveries`, 200)
      if (lastError !== null || waited > 200) {
        assert.deepEqual([lastError, lastStatus], ['addressRefused', null], state)
        break
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await create({ events: ['no.event'] }, 400)
    await create({ format: 'irc' }, 400)
    await create({ events: [] }, 400)
    const many = (await ask('GET /v1/hooks', 200)).length
    for (let count = many; count < 50; count++) await create({}, 201)
    await create({}, 422)
    for (const { id } of await ask('GET /v1/hooks', 200)) await walk.answer(`DELETE /v1/hooks/${id}`, 204)
  })

  it('delivers signed events, sends again, and rotates secrets', async () => {
    const { ask } = walk
    const json = { name: 'CI', url: receiver.url, events: ['*'] }
    const hook = await ask('POST /v1/hooks', 201, { json })
    const test = await ask(`POST /v1/hooks/${hook.id}/test`, 202)
    hasFields(test, deliveryFields)
    assert.match(test.webhookId, /^msg_[^.]+$/)
    const tested = await receiver.waitFor(({ headers }) => headers['webhook-id'] === test.webhookId)
    verify(hook.secret, tested)
    assert.equal(tested.headers['content-type'], 'application/json')
    assert.match(String(tested.headers['user-agent']), /^Fairlead\/\S+$/)
    assert.equal(tested.json.type, 'hook.test')
    assert.equal(tested.json.data.hookId, hook.id)
    const build = await uploadApk(walk.server, { alias: 'shop' })
    const uploaded = await receiver.waitFor((delivery) => delivery.json.type === 'build.uploaded')
    hasFields(uploaded.json, 'type timestamp workspaceId data')
    hasFields(
      uploaded.json.data,
      'applicationId applicationAlias links buildId platform shortVersion version branch commit size',
    )
    hasFields(uploaded.json.data.links, 'page api')
    assert.equal(uploaded.json.data.buildId, build.id)
    assert.ok(!uploaded.text.includes(build.installUrl))
    const deliveries = await ask(`GET /v1/hooks/${hook.id}/deliveries?type=build.uploaded`, 200)
    assert.equal(deliveries.length, 1)
    let one = await ask(`GET /v1/hookDeliveries/${deliveries[0].id}`, 200)
    while (one.state === 'waiting') one = await ask(`GET /v1/hookDeliveries/${deliveries[0].id}`, 200)
    hasFields(one, `${deliveryFields} body attempts`)
    assert.equal(one.body, uploaded.text)
    hasFields(one.attempts[0], 'startedDate durationMs status error responseExcerpt')
    assert.equal(one.attempts[0].responseExcerpt, 'thanks')
    assert.equal((await ask(`GET /v1/hooks/${hook.id}/deliveries?state=succeeded`, 200)).length, 2)
    await ask(`GET /v1/hooks/${hook.id}/deliveries?state=asleep`, 400)
    const missing = await ask('GET /v1/hookDeliveries/999', 404)
    assert.equal(missing.detail, 'The hook delivery with the given ID does not exist')

    const again = await ask(`POST /v1/hookDeliveries/${one.id}/redeliver`, 202)
    hasFields(again, deliveryFields)
    assert.deepEqual([again.webhookId, again.redeliveryOf], [one.webhookId, one.id])
    const repeated = await receiver.waitFor(({ headers }) => headers['webhook-id'] === one.webhookId, 2)
    assert.equal(repeated.text, uploaded.text)
    const since = '2026-01-01T00:00:00.000Z'
    assert.deepEqual(await ask(`POST /v1/hooks/${hook.id}/redeliver`, 202, { json: { since } }), { count: 0 })
    await ask(`POST /v1/hooks/${hook.id}/redeliver`, 400, { json: {} })

    const rotated = await ask(`POST /v1/hooks/${hook.id}/rotateSecret`, 200, { json: {} })
    hasFields(rotated, 'secret oldSecretUntilDate')
    const days = (Date.parse(rotated.oldSecretUntilDate) - Date.now()) / 3_600_000
    assert.ok(days > 23.9 && days <= 24, String(days))
    const second = await ask(`POST /v1/hooks/${hook.id}/test`, 202)
    const both = await receiver.waitFor(({ headers }) => headers['webhook-id'] === second.webhookId)
    assert.match(String(both.headers['webhook-signature']), /^v1,\S+ v1,\S+$/)
    verify(hook.secret, both)
    verify(rotated.secret, both)
    const lone = await ask(`POST /v1/hooks/${hook.id}/rotateSecret`, 200, { json: { keepOldHours: 0 } })
    assert.equal(lone.oldSecretUntilDate, null)
    await ask(`POST /v1/hooks/${hook.id}/rotateSecret`, 400, { json: { keepOldHours: 169 } })
    await ask(`PATCH /v1/hooks/${hook.id}`, 200, { json: { isEnabled: false } })
    await ask(`POST /v1/hookDeliveries/${one.id}/redeliver`, 409)
    await ask(`POST /v1/hooks/${hook.id}/redeliver`, 409, { json: { since } })
  })

  it('has alert rules for developers, whose hooks administrators name', async () => {
    const { ask, developer, viewer } = walk
    const path = `/v1/applications/${application.id}/alertRules`
    const count = { name: 'Many', kind: 'crashCount', threshold: 5, windowMinutes: 60 }
    const rule = await ask(`POST ${path}`, 201, { json: count, token: developer })
    hasFields(rule, ruleFields)
    assert.deepEqual(
      [rule.digestMinutes, rule.cooldownMinutes, rule.isEnabled, rule.state, rule.lastFiredDate, rule.quietHours],
      [10, 60, true, 'ok', null, null],
    )
    const rate = { name: 'Rate', kind: 'crashFreeRate', threshold: 99, windowMinutes: 5 }
    assert.equal((await ask(`POST ${path}`, 201, { json: rate })).minimum, 100)
    await ask(`POST ${path}`, 403, { json: count, token: viewer })
    for (const rules of await ask(`GET ${path}`, 200, { token: viewer })) hasFields(rules, ruleFields)
    for (const kind of ['crashCount', 'installCount', 'crashFreeRate', 'flakyRate']) {
      await ask(`POST ${path}`, 400, { json: { name: 'x', kind, windowMinutes: 60 } })
      await ask(`POST ${path}`, 400, { json: { name: 'x', kind, threshold: 5 } })
      await ask(`POST ${path}`, 400, { json: { name: 'x', kind, threshold: 5, windowMinutes: 4 } })
      await ask(`POST ${path}`, 400, { json: { name: 'x', kind, threshold: 5, windowMinutes: 10_081 } })
      await ask(`POST ${path}`, 201, { json: { name: 'x', kind, threshold: 5, windowMinutes: 10_080 } })
    }
    for (const kind of ['newCrashGroup', 'crashRegression', 'testVerdict', 'feedback']) {
      await ask(`POST ${path}`, 201, { json: { name: 'x', kind } })
    }
    await ask(`POST ${path}`, 400, { json: { name: 'x', kind: 'weather' } })
    const zone = (timeZone: string) => ({ quietHours: { from: '22:00', to: '07:00', timeZone } })
    await ask(`POST ${path}`, 422, { json: { ...count, accountIds: [999] } })
    await ask(`POST ${path}`, 422, { json: { ...count, hookIds: [999] } })
    await ask(`POST ${path}`, 422, { json: { ...count, ...zone('Mars/Base') } })
    const quiet = await ask(`POST ${path}`, 201, { json: { ...count, ...zone('Europe/Stockholm') } })
    assert.deepEqual(quiet.quietHours, { from: '22:00', to: '07:00', timeZone: 'Europe/Stockholm' })
    const [hook] = await ask('GET /v1/hooks', 200)
    const one = `/v1/alertRules/${rule.id}`
    await ask(`PATCH ${one}`, 403, { json: { hookIds: [hook.id] }, token: developer })
    assert.deepEqual((await ask(`PATCH ${one}`, 200, { json: { hookIds: [hook.id] } })).hookIds, [hook.id])
    const renamed = await ask(`PATCH ${one}`, 200, { json: { name: 'More', isEnabled: false }, token: developer })
    assert.deepEqual([renamed.name, renamed.isEnabled, renamed.hookIds], ['More', false, [hook.id]])
    assert.deepEqual(await ask(`GET /v1/applications/${application.id}/alerts`, 200), [])
    await walk.answer(`DELETE ${one}`, 204, { token: developer })
    const gone = await ask(`PATCH ${one}`, 404, { json: { name: 'x' } })
    assert.equal(gone.detail, 'The alert rule with the given ID does not exist')
  })
})
