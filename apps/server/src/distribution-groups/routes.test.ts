import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { startServer } from '../testing/start-server.ts'
import { createApplication, uploadApk } from '../testing/upload.ts'

describe('Distribution groups', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())

  const createGroup = async (name: string, emails: string[] = []): Promise<number> => {
    const { json } = await server.call('POST', '/v1/distributionGroups', { json: { name } })
    if (emails.length > 0) {
      const answer = await server.call('POST', `/v1/distributionGroups/${json.id}/testers`, { json: { emails } })
      assert.equal(answer.status, 201, answer.text)
    }
    const { id }: { id: number } = json
    return id
  }
  const rename = (id: number, name: string) => server.call('PATCH', `/v1/distributionGroups/${id}`, { json: { name } })
  const remove = (id: number) => server.call('DELETE', `/v1/distributionGroups/${id}`)

  it('are renamed, and keep their testers', async () => {
    const id = await createGroup('Before', ['ada@example.com'])
    const renamed = await rename(id, 'After')
    assert.equal(renamed.status, 200, renamed.text)
    assert.deepEqual([renamed.json.id, renamed.json.name, renamed.json.testerCount], [id, 'After', 1])
    assert.deepEqual((await server.call('GET', `/v1/distributionGroups/${id}`)).json, renamed.json)
    const { json: testers } = await server.call('GET', `/v1/distributionGroups/${id}/testers`)
    assert.deepEqual(testers[0].groups, [{ id, name: 'After' }])
  })

  it('may change the case of their own name, and cannot take the name of another in any case', async () => {
    const id = await createGroup('quality')
    await createGroup('Support')
    assert.equal((await rename(id, 'Quality')).json.name, 'Quality')
    const taken = await rename(id, 'SUPPORT')
    assert.deepEqual(
      [taken.status, taken.json.detail],
      [409, 'Another distribution group of the workspace has this name'],
    )
    assert.equal((await server.call('GET', `/v1/distributionGroups/${id}`)).json.name, 'Quality')
  })

  it('release their old name when they are renamed or deleted', async () => {
    const first = await createGroup('Free')
    await rename(first, 'Taken')
    const second = await createGroup('Free')
    assert.equal((await remove(second)).status, 204)
    assert.equal((await server.call('POST', '/v1/distributionGroups', { json: { name: 'FREE' } })).status, 201)
  })

  it('are deleted once; their builds stay, and their testers stay in their other groups', async () => {
    const id = await createGroup('Gone', ['bob@example.com', 'carol@example.com'])
    const other = await createGroup('Stays', ['bob@example.com'])
    await createApplication(server, 'shop')
    const build = await uploadApk(server, { alias: 'shop' })
    const distributionGroupIds = [id, other]
    await server.call('POST', `/v1/builds/${build.id}/distribute`, { json: { distributionGroupIds } })

    assert.equal((await remove(id)).status, 204)
    assert.equal((await remove(id)).status, 404)
    assert.equal((await server.call('GET', `/v1/distributionGroups/${id}`)).status, 404)
    assert.equal((await server.call('GET', `/v1/distributionGroups/${id}/testers`)).status, 404)
    const { json: left } = await server.call('GET', `/v1/builds/${build.id}`)
    assert.deepEqual(
      left.distributionGroups.map((group: { id: number }) => group.id),
      [other],
    )
    const { json: testers } = await server.call('GET', '/v1/testers')
    const groupsOf = (email: string) => testers.find((tester: { email: string }) => tester.email === email)?.groups
    assert.deepEqual(groupsOf('bob@example.com'), [{ id: other, name: 'Stays' }])
    assert.deepEqual(groupsOf('carol@example.com'), [])
  })

  it('are neither renamed nor deleted when they do not exist', async () => {
    assert.equal((await rename(4000, 'New')).status, 404)
    assert.equal((await remove(4000)).status, 404)
  })
})
