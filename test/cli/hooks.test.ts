import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startHookReceiver, type HookReceiver, verify } from '../../apps/server/src/testing/hook-receiver.ts'
import { type Desk, openDesk } from './fairlead.ts'

describe('fairlead hooks', { timeout: 300_000 }, () => {
  let desk: Desk
  let receiver: HookReceiver
  before(async () => {
    receiver = await startHookReceiver()
    desk = await openDesk({ FAIRLEAD_HOOKS_ALLOW: receiver.host, FAIRLEAD_HOOK_RETRY_SECONDS: '0.1' })
    await desk.json('apps', 'create', 'shop', '--platform', 'android')
  })
  after(async () => {
    await desk[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
  })

  it('creates, tests, lists, sends again, rotates and deletes', async () => {
    const args = ['hooks', 'create', 'CI', '--url-env', 'HOOK_URL', '--event', 'build.uploaded', '--app', 'shop']
    const made = await desk.fairlead(args, { env: { HOOK_URL: receiver.url } })
    assert.equal(made.code, 0, made.stderr)
    const [, secret = ''] = /(whsec_\S+)/.exec(made.stdout) ?? []
    const [hook] = await desk.json('hooks', 'list')
    assert.deepEqual([hook.name, hook.events, hook.applicationIds], ['CI', ['build.uploaded'], [1]])
    const listed = await desk.fairlead(['hooks'])
    assert.ok(listed.stdout.includes(receiver.host) && !listed.stdout.includes(receiver.url))
    const id = String(hook.id)

    assert.match((await desk.fairlead(['hooks', 'test', id])).stdout, /answered 200/)
    const [delivery] = receiver.deliveries
    assert.ok(delivery)
    verify(secret, delivery)
    receiver.answerWith((response) => response.writeHead(500).end())
    const refused = await desk.fairlead(['hooks', 'test', id])
    assert.deepEqual([refused.code, /status, status 500/.test(refused.stderr)], [6, true], refused.stderr)
    receiver.answerWith(undefined)

    const [last, first] = await desk.json('hooks', 'deliveries', id)
    assert.equal(first.state, 'succeeded')
    assert.equal((await desk.json('hooks', 'redeliver', String(last.id))).redeliveryOf, last.id)
    assert.equal(typeof (await desk.json('hooks', 'redeliver', id, '--since', '2026-01-01')).count, 'number')
    const rotated = await desk.json('hooks', 'rotate', id, '--keep-hours', '0')
    assert.notEqual(rotated.secret, secret)
    await desk.json('hooks', 'delete', id, '--yes')
    assert.deepEqual(await desk.json('hooks', 'list'), [])
  })

  it('names what it cannot take', async () => {
    for (const args of [
      ['create', 'CI', receiver.url, '--event', 'build.exploded'],
      ['create', 'CI'],
      ['rotate', '1', '--keep-hours', 'many'],
    ]) {
      assert.equal((await desk.fairlead(['hooks', ...args])).code, 2, args.join(' '))
    }
    assert.equal((await desk.fairlead(['hooks', 'create', 'CI', 'https://10.0.0.1/'])).code, 6)
    assert.equal((await desk.fairlead(['hooks', 'deliveries', '99'])).code, 5)
  })
})
