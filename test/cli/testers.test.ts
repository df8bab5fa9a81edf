import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { writeApk } from '@fairlead/binary/fixture'
import { type Desk, openDesk } from './fairlead.ts'

describe('fairlead testers', { timeout: 300_000 }, () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk()
    await writeFile(join(desk.folder, 'app.apk'), writeApk({ packageName: 'com.example.shop' }))
    await desk.json('apps', 'create', 'shop', '--platform', 'android', '--identifier', 'com.example.shop')
    await desk.json('groups', 'create', 'QA')
    await desk.json('testers', 'add', 'ada@example.com', 'bob@example.com', '--group', 'QA')
  })
  after(() => desk[Symbol.asyncDispose]())

  it('shows who was told of a build, reminds them once a day, and renews an address', async () => {
    const { id } = await desk.json('builds', 'upload', 'app.apk', '--app', 'shop', '--group', 'QA')
    const status = await desk.fairlead(['testers', 'status', String(id)])
    assert.match(status.stdout, /^E-MAIL|ada@example\.com\tnone/m)
    const none = await desk.json('testers', 'remind', String(id))
    assert.equal(none.count, 0)
    const first = ['testers', 'remind', String(id), '--state', 'none', '--tester', 'ADA@example.com']
    assert.equal((await desk.fairlead(first)).stdout, 'Reminded 1 tester\n')
    const again = await desk.fairlead(['testers', 'remind', String(id), '--state', 'none', '--state', 'told'])
    assert.equal(again.stdout, 'Reminded 1 tester; left out: 1 reminded in the last 24 hours\n')
    const [ada] = await desk.json('testers', 'status', String(id))
    assert.deepEqual([ada.email, ada.state, ada.remindedDate !== null], ['ada@example.com', 'told', true])

    const [tester] = await desk.json('testers', 'list')
    const renewed = await desk.json('testers', 'renew-link', tester.email, '--yes')
    assert.equal((await fetch(tester.pageUrl)).status, 404)
    assert.equal((await fetch(renewed.pageUrl)).status, 200)
  })

  it('refuses an unknown state, an unknown tester and an unknown build', async () => {
    const wrong = await desk.fairlead(['testers', 'remind', '1', '--state', 'asleep'])
    assert.equal(wrong.code, 2)
    assert.match(wrong.stderr, /"asleep" is none of none, told, opened/)
    assert.equal((await desk.fairlead(['testers', 'renew-link', 'x@example.com', '--yes'])).code, 5)
    assert.equal((await desk.fairlead(['testers', 'status', '999'])).code, 5)
  })
})
