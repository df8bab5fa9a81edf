import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openDatabase } from '../db/open.ts'
import { join } from '../testing/browser.ts'
import { startServer } from '../testing/start-server.ts'
import { createApplication, createApk, uploadApk } from '../testing/upload.ts'
import { grantServerAdmin } from './grant.ts'

describe('Administrators of the server', () => {
  it('see all accounts and workspaces, and nobody else does', async () => {
    await using server = await startServer()
    const ada = await join(server, { email: 'ada@example.com', role: 'admin' })
    await createApplication(server, 'shop')
    const build = await uploadApk(server, { alias: 'shop' })
    for (const path of ['/v1/server/accounts', '/v1/server/workspaces']) {
      assert.equal((await ada.call('GET', path)).status, 403)
      assert.equal((await server.call('GET', path)).status, 401, 'tokens belong to a workspace')
    }
    const { db } = await openDatabase(server)
    assert.equal(await grantServerAdmin(db, 'ADA@example.com', true), true)
    assert.equal(await grantServerAdmin(db, 'nobody@example.com', true), false)
    await db.destroy()
    const [account] = (await ada.call('GET', '/v1/server/accounts')).json
    assert.equal(account.email, 'ada@example.com')
    assert.equal(account.isServerAdmin, true)
    assert.deepEqual(
      account.workspaces.map(({ name }: { name: string }) => name),
      ['default'],
    )
    const [workspace] = (await ada.call('GET', '/v1/server/workspaces')).json
    assert.equal(workspace.size, build.size)
    assert.equal(workspace.memberCount, 1)
    assert.equal(workspace.buildCount, 1)
    assert.equal(workspace.mailsLastHour, 1)
  })
})

describe('Who may create workspaces', () => {
  it('is a setting: administrators of a workspace by default', async () => {
    for (const [setting, admin, viewer] of [
      ['', 201, 403],
      ['members', 201, 201],
      ['server-admins', 403, 403],
    ] as const) {
      await using server = await startServer({ FAIRLEAD_WORKSPACE_CREATION: setting })
      const create = async (email: string, role: string) => {
        const browser = await join(server, { email, role })
        return (await browser.call('POST', '/v1/workspaces', { json: { name: 'Own' } })).status
      }
      assert.equal(await create('ada@example.com', 'admin'), admin, setting)
      assert.equal(await create('vera@example.com', 'viewer'), viewer, setting)
    }
  })
})

describe('The quotas of a workspace', () => {
  it('limit builds and bytes', async () => {
    const size = createApk().length
    await using server = await startServer({
      FAIRLEAD_WORKSPACE_MAX_BUILDS: '2',
      FAIRLEAD_WORKSPACE_MAX_BYTES: String(size * 3),
    })
    await createApplication(server, 'shop')
    const upload = (versionCode: number, padding = 0) =>
      server.call('POST', '/v2/builds', {
        headers: { 'X-Service-Application-Alias': 'shop' },
        body: createApk({ versionCode, files: [{ name: 'filling', data: Buffer.alloc(padding, 7) }] }),
      })
    assert.equal((await upload(1)).status, 201)
    const tooBig = await upload(2, size * 3)
    assert.equal(tooBig.status, 422)
    assert.match(tooBig.json.detail, /bytes/)
    const second = await upload(2)
    assert.equal(second.status, 201, second.text)
    const third = await upload(3)
    assert.equal(third.status, 422)
    assert.match(third.json.detail, /2 builds/)
    await server.call('DELETE', `/v1/builds/${second.json.id}`)
    assert.equal((await upload(3)).status, 201)
  })

  it('limit mails an hour, and nothing is distributed beyond them', async () => {
    await using server = await startServer({ FAIRLEAD_WORKSPACE_MAX_MAILS_PER_HOUR: '2' })
    await createApplication(server, 'shop')
    const build = await uploadApk(server, { alias: 'shop' })
    const group = await server.call('POST', '/v1/distributionGroups', { json: { name: 'QA' } })
    const emails = ['a@example.com', 'b@example.com', 'c@example.com']
    await server.call('POST', `/v1/distributionGroups/${group.json.id}/testers`, { json: { emails } })
    const answer = await server.call('POST', `/v1/builds/${build.id}/distribute`, {
      json: { distributionGroupIds: [group.json.id], notifyTesters: true },
    })
    assert.equal(answer.status, 429)
    assert.equal(answer.headers.get('retry-after'), '3600')
    assert.deepEqual((await server.call('GET', `/v1/builds/${build.id}`)).json.distributionGroups, [])
    assert.deepEqual((await server.call('GET', '/v1/mails')).json, [])
  })
})
