import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Desk, openDesk } from './fairlead.ts'

describe('fairlead alerts', { timeout: 300_000 }, () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk()
    await desk.json('apps', 'create', 'shop', '--platform', 'android')
  })
  after(() => desk[Symbol.asyncDispose]())

  it('creates, lists, changes and deletes rules', async () => {
    const make = ['alerts', 'create', 'Storm', '--app', 'shop', '--kind', 'crashCount']
    const line = ['--threshold', '50', '--window', '30', '--role', 'admin', '--quiet', '22:00-07:00@Europe/Berlin']
    const made = await desk.json(...make, ...line)
    assert.deepEqual([made.threshold, made.windowMinutes, made.roles], [50, 30, ['admin']])
    assert.deepEqual(made.quietHours, { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' })
    const id = String(made.id)
    const changed = await desk.json('alerts', 'update', id, '--threshold', '60', '--quiet', 'none', '--off')
    assert.deepEqual([changed.threshold, changed.quietHours, changed.isEnabled], [60, null, false])
    const listed = await desk.fairlead(['alerts', 'list', '--app', 'shop'])
    assert.match(listed.stdout, /Storm\tcrashCount\t60 in 30 min\toff/)
    assert.deepEqual(await desk.json('alerts', 'fired', '--app', 'shop'), [])
    await desk.json('alerts', 'delete', id, '--yes')
    assert.equal((await desk.json('alerts', 'list', '--app', 'shop')).length, 4)
  })

  it('names what it cannot take', async () => {
    for (const args of [
      ['create', 'Storm', '--app', 'shop', '--kind', 'weather'],
      ['create', 'Storm', '--app', 'shop', '--kind', 'crashCount', '--threshold', 'many'],
      ['create', 'Storm', '--app', 'shop', '--kind', 'feedback', '--quiet', 'at night'],
      ['update', '1'],
      ['update', '1', '--on', '--off'],
    ]) {
      assert.equal((await desk.fairlead(['alerts', ...args])).code, 2, args.join(' '))
    }
    const refused = await desk.fairlead(['alerts', 'create', 'Storm', '--app', 'shop', '--kind', 'crashCount'])
    assert.notEqual(refused.code, 0)
    assert.match(refused.stderr, /threshold/)
    const stranger = ['alerts', 'create', 'S', '--app', 'shop', '--kind', 'feedback', '--member', 'x@example.com']
    assert.equal((await desk.fairlead(stranger)).code, 5)
  })
})
