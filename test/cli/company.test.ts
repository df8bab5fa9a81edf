import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { writeApk } from '@fairlead/binary/fixture'
import { startAppleServer } from '../../apps/server/src/testing/apple-api.ts'
import { startIdentityProvider } from '../../apps/server/src/testing/identity-provider.ts'
import { type Desk, openDesk } from './fairlead.ts'

describe('fairlead, with what a company needs', { timeout: 300_000 }, () => {
  const opened = new AsyncDisposableStack()
  let desk: Desk
  let apple: Awaited<ReturnType<typeof startAppleServer>>
  before(async () => {
    apple = opened.use(await startAppleServer())
    const provider = opened.use(await startIdentityProvider())
    desk = opened.use(
      await openDesk({
        FAIRLEAD_APPLE_API_URL: apple.url,
        FAIRLEAD_OIDC_PROVIDERS: JSON.stringify([provider.entry()]),
        FAIRLEAD_SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      }),
    )
    await writeFile(join(desk.folder, 'app.apk'), writeApk({ packageName: 'com.example.shop' }))
    await desk.json('apps', 'create', 'shop', '--platform', 'android', '--identifier', 'com.example.shop')
  })
  after(() => opened.disposeAsync())

  it('gives and takes the roles of groups', async () => {
    const set = (group: string, role: string) => desk.json('members', 'group-roles', 'set', 'corp', group, role)
    await set('leads', 'admin')
    await set('mobile', 'viewer')
    assert.deepEqual(await set('mobile', 'developer'), [
      { provider: 'corp', group: 'leads', role: 'admin' },
      { provider: 'corp', group: 'mobile', role: 'developer' },
    ])
    const { stdout } = await desk.fairlead(['members', 'group-roles'])
    assert.match(stdout, /corp\tleads\tadmin\ncorp\tmobile\tdeveloper\n$/)
    const left = await desk.json('members', 'group-roles', 'remove', 'corp', 'leads')
    assert.equal(left.length, 1)
    assert.equal((await desk.fairlead(['members', 'group-roles', 'remove', 'corp', 'leads'])).code, 5)
    assert.equal((await desk.fairlead(['members', 'group-roles', 'set', 'corp', 'leads', 'king'])).code, 2)
  })

  it('changes a hook and turns it off and on', async () => {
    const { id } = await desk.json('hooks', 'create', 'CI', 'https://receiver.invalid/')
    const changed = await desk.json('hooks', 'update', String(id), '--name', 'CD', '--event', 'build.uploaded')
    assert.deepEqual([changed.name, changed.events, changed.isEnabled], ['CD', ['build.uploaded'], true])
    assert.equal(
      (await desk.fairlead(['hooks', 'update', String(id), '--state', 'off'])).stdout,
      'The hook CD is off\n',
    )
    assert.equal((await desk.json('hooks', 'update', String(id), '--state', 'on')).isEnabled, true)
    assert.equal((await desk.fairlead(['hooks', 'update', String(id)])).code, 2)
  })

  it('marks and deletes feedback, and deletes a latest link', async () => {
    const build = await desk.json('builds', 'upload', 'app.apk', '--app', 'shop')
    const body = new FormData()
    body.append('text', 'The chart is empty')
    const sent = await fetch(`${build.installUrl}/feedback`, {
      method: 'POST',
      headers: { Accept: 'application/json' },
      body,
    })
    assert.equal(sent.status, 201)
    const [{ id }] = await desk.json('feedback', '--app', 'shop')
    assert.equal((await desk.json('feedback', 'status', String(id), 'done')).status, 'done')
    assert.equal((await desk.json('feedback', 'status', String(id), 'open')).status, 'open')
    assert.equal((await desk.fairlead(['feedback', 'status', String(id), 'lost'])).code, 2)
    await desk.json('feedback', 'delete', String(id), '--yes')
    assert.deepEqual(await desk.json('feedback', '--app', 'shop'), [])
    const link = await desk.json('links', 'create', 'Wall', '--app', 'shop')
    await desk.json('links', 'delete', String(link.id), '--yes')
    assert.deepEqual(await desk.json('links', 'list', '--app', 'shop'), [])
  })

  it('lists the runs of retention and the trash, and empties it', async () => {
    const rules = { isEnabled: true, rules: [{ branches: ['*'], keepNewest: 1 }] }
    await writeFile(join(desk.folder, 'rules.json'), JSON.stringify(rules))
    await desk.json('retention', 'set', 'rules.json', '--app', 'shop')
    const run = await desk.json('retention', 'run', '--app', 'shop', '--yes')
    const runs = await desk.json('retention', 'runs', '--app', 'shop')
    assert.deepEqual(runs, [run])
    assert.deepEqual(await desk.json('retention', 'trash', '--app', 'shop'), [])
    const emptied = await desk.fairlead(['retention', 'empty-trash', '--app', 'shop', '--yes'])
    assert.deepEqual([emptied.code, emptied.stdout], [0, 'The trash is being emptied\n'])
  })

  it('sets, shows and deletes the key of App Store Connect', async () => {
    const { issuerId, keyId, privateKey } = apple
    assert.equal((await desk.fairlead(['devices', 'key'])).code, 5)
    await writeFile(join(desk.folder, 'AuthKey.p8'), privateKey)
    const set = ['devices', 'key', 'set', 'AuthKey.p8', '--issuer', issuerId, '--key-id', keyId]
    const { code, stdout } = await desk.fairlead(set)
    assert.deepEqual([code, stdout], [0, `Apple has accepted the key ${keyId}\n`])
    const shown = await desk.fairlead(['devices', 'key'])
    assert.ok(shown.stdout.includes(issuerId) && !shown.stdout.includes('PRIVATE'), shown.stdout)
    await desk.json('devices', 'key', 'delete', '--yes')
    assert.equal((await desk.fairlead(['devices', 'key'])).code, 5)
  })
})
