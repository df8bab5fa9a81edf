import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { startMailServer } from '../testing/mail-server.ts'
import { openInstallPage } from '../testing/open-install-page.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
import { createApplication, uploadApk } from '../testing/upload.ts'

interface Group {
  id: number
  /** The ids of the testers by their addresses. */
  testers: Map<string, number>
}

async function createGroup(server: TestServer, name: string, emails: string[]): Promise<Group> {
  const { json: group } = await server.call('POST', '/v1/distributionGroups', { json: { name } })
  const added = await server.call('POST', `/v1/distributionGroups/${group.id}/testers`, { json: { emails } })
  assert.equal(added.status, 201, added.text)
  const testers: { email: string; id: number }[] = added.json
  const { id }: { id: number } = group
  return { id, testers: new Map(testers.map((tester) => [tester.email, tester.id])) }
}

async function listEmails(server: TestServer, path: string): Promise<string[]> {
  const { json } = await server.call('GET', path)
  const testers: { email: string }[] = json
  return testers.map(({ email }) => email).toSorted()
}

describe('Testers', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())

  it('are removed from one group, once, and stay in the others', async () => {
    const first = await createGroup(server, 'First', ['ada@example.com', 'bob@example.com'])
    const second = await createGroup(server, 'Second', ['ada@example.com'])
    const path = `/v1/distributionGroups/${first.id}/testers/${first.testers.get('ada@example.com')}`
    assert.equal((await server.call('DELETE', path)).status, 204)
    const again = await server.call('DELETE', path)
    assert.deepEqual([again.status, again.json.detail], [404, 'The tester with the given ID does not exist'])
    assert.deepEqual(await listEmails(server, `/v1/distributionGroups/${first.id}/testers`), ['bob@example.com'])
    assert.deepEqual(await listEmails(server, `/v1/distributionGroups/${second.id}/testers`), ['ada@example.com'])
    assert.equal((await server.call('GET', `/v1/distributionGroups/${first.id}`)).json.testerCount, 1)
    assert.deepEqual(await listEmails(server, '/v1/testers'), ['ada@example.com', 'bob@example.com'])
  })

  it('are not removed from a group that does not exist', async () => {
    const { testers } = await createGroup(server, 'Third', ['carol@example.com'])
    const path = `/v1/distributionGroups/4000/testers/${testers.get('carol@example.com')}`
    const { status, json } = await server.call('DELETE', path)
    assert.deepEqual([status, json.detail], [404, 'The distribution group with the given ID does not exist'])
  })

  it('are deleted once, out of every group, and may be added again', async () => {
    const emails = ['dave@example.com']
    const groups = [await createGroup(server, 'Fourth', emails), await createGroup(server, 'Fifth', emails)]
    const id = groups[0]?.testers.get('dave@example.com')
    assert.equal((await server.call('DELETE', `/v1/testers/${id}`)).status, 204)
    assert.equal((await server.call('DELETE', `/v1/testers/${id}`)).status, 404)
    for (const group of groups) {
      const path = `/v1/distributionGroups/${group.id}/testers`
      assert.deepEqual(await listEmails(server, path), [])
      const { json } = await server.call('POST', path, { json: { emails } })
      assert.notEqual(json[0].id, id)
    }
  })
})

it('are removed from their installs when they are deleted, but the installs still count', async () => {
  await using mailServer = await startMailServer()
  await using server = await startServer({ FAIRLEAD_SMTP_URL: mailServer.url })
  await createApplication(server, 'shop')
  const build = await uploadApk(server, { alias: 'shop' })
  const { id, testers } = await createGroup(server, 'Inside', ['ada@example.com'])
  await server.call('POST', `/v1/builds/${build.id}/distribute`, {
    json: { distributionGroupIds: [id], notifyTesters: true },
  })
  const { decoded } = await mailServer.waitForMail('ada@example.com')
  const link = /http\S+\/install\/[^\s"]+\/for\/[\w.-]+/.exec(decoded)?.[0] ?? ''

  const install = async () => {
    const page = await openInstallPage(server, link, { agent: 'android' })
    const binary = /href="([^"]*\/binary\/[^"]*)"/.exec(page.text)?.[1] ?? ''
    assert.equal((await server.call('GET', binary, { token: null })).status, 200)
    return (await server.call('GET', `/v1/builds/${build.id}/installs`)).json
  }
  assert.deepEqual(
    (await install()).testers.map(({ email, count }: { email: string; count: number }) => [email, count]),
    [['ada@example.com', 1]],
  )
  assert.equal((await server.call('DELETE', `/v1/testers/${testers.get('ada@example.com')}`)).status, 204)
  // The personal link still works, but its installs name no tester.
  assert.deepEqual((await install()).testers, [])
  assert.equal((await server.call('GET', `/v1/builds/${build.id}`)).json.installCount, 2)
})
