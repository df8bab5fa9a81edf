import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { startServer } from '../testing/start-server.ts'
import { uploadApk, createApplication } from '../testing/upload.ts'

describe('a build that is taken back from a group', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  await createApplication(server, 'shop')
  const build = await uploadApk(server, { alias: 'shop' })
  const createGroup = async (name: string): Promise<number> =>
    (await server.call('POST', '/v1/distributionGroups', { json: { name } })).json.id
  const [alpha, beta] = [await createGroup('Alpha'), await createGroup('Beta')]
  const withdraw = (groupId: number, buildId = build.id) =>
    server.call('DELETE', `/v1/builds/${buildId}/distributionGroups/${groupId}`)

  it('leaves that group only, and its list', async () => {
    const distributionGroupIds = [alpha, beta]
    await server.call('POST', `/v1/builds/${build.id}/distribute`, { json: { distributionGroupIds } })
    const list = () => server.call('GET', `/v1/applications/${build.applicationId}/builds?distributionGroupName=Alpha`)
    assert.equal((await list()).json.length, 1)
    assert.equal((await withdraw(alpha)).status, 204)
    assert.equal((await list()).json.length, 0)
    const { json } = await server.call('GET', `/v1/builds/${build.id}`)
    assert.deepEqual(
      json.distributionGroups.map(({ name }: { name: string }) => name),
      ['Beta'],
    )
  })

  it('stays as it is when it is taken back again, and keeps its install link', async () => {
    assert.equal((await withdraw(alpha)).status, 204)
    assert.equal((await fetch(build.installUrl)).status, 200)
  })

  it('must exist, and so must the group', async () => {
    const noBuild = await withdraw(alpha, 999_999)
    assert.equal(noBuild.status, 404)
    assert.equal(noBuild.json.detail, 'Build with the given ID does not exist')
    const noGroup = await withdraw(999_999)
    assert.equal(noGroup.status, 404)
    assert.equal(noGroup.json.detail, 'The distribution group with the given ID does not exist')
  })

  it('is recorded in the audit log', async () => {
    const { json } = await server.call('GET', '/v1/auditEvents?action=build.withdraw')
    // Refused requests are not in it.
    assert.equal(json.length, 2)
  })
})
