import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { writeApk } from '@fairlead/binary/fixture'
import { type Desk, openDesk } from './fairlead.ts'

describe('fairlead links', { timeout: 300_000 }, () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk()
    await writeFile(join(desk.folder, 'app.apk'), writeApk({ packageName: 'com.example.shop' }))
    await desk.json('apps', 'create', 'shop', '--platform', 'android', '--identifier', 'com.example.shop')
    await desk.json('groups', 'create', 'QA')
  })
  after(() => desk[Symbol.asyncDispose]())

  it('makes, lists, opens, renews and revokes an address of the newest build', async () => {
    const made = await desk.fairlead(
      ['links', 'create', 'Wall', '--app', 'shop', '--group', 'qa', '--password-env', 'LINK_PASSWORD', '--older'],
      { env: { LINK_PASSWORD: 'open sesame' } },
    )
    assert.equal(made.code, 0, made.stderr)
    assert.match(made.stdout, /^Link +\d+, http.*\/latest\/[\w-]{22}$/m)
    await desk.json('builds', 'upload', 'app.apk', '--app', 'shop', '--group', 'QA')
    const [link] = await desk.json('links', 'list', '--app', 'shop')
    assert.equal(link.hasPassword, true)
    assert.deepEqual([link.distributionGroup.name, link.showsOlder, link.build.version], ['QA', true, '1'])
    const id = String(link.id)
    assert.equal((await desk.fairlead(['links', 'open', id])).stdout.trim(), link.url)
    const renewed = await desk.json('links', 'renew', id, '--yes')
    assert.notEqual(renewed.url, link.url)
    assert.equal((await fetch(link.url)).status, 404)
    assert.equal((await fetch(renewed.url)).status, 200)
    await desk.json('links', 'revoke', id)
    assert.equal((await fetch(renewed.url)).status, 410)
    const { stdout } = await desk.fairlead(['links', '--app', 'shop'])
    assert.match(stdout, /\tWall\tQA\t.*\trevoked\t/)
  })

  it('refuses an empty variable for the password, and an unknown link', async () => {
    const empty = await desk.fairlead(['links', 'create', 'x', '--app', 'shop', '--password-env', 'NOTHING'])
    assert.equal(empty.code, 2)
    assert.match(empty.stderr, /NOTHING is empty/)
    assert.equal((await desk.fairlead(['links', 'revoke', '999'])).code, 5)
  })
})
