import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startServer } from '../testing/start-server.ts'

it('lists more testers than one SQLite statement has parameters for', async () => {
  await using server = await startServer()
  await server.call('POST', '/v1/distributionGroups', { json: { name: 'All' } })
  const count = 33_000
  for (let start = 0; start < count; start += 1000) {
    const emails = Array.from({ length: 1000 }, (_, index) => `tester-${start + index}@example.com`)
    const answer = await server.call('POST', '/v1/distributionGroups/1/testers', { json: { emails } })
    assert.equal(answer.status, 201, answer.text)
  }
  const { status, json } = await server.call('GET', '/v1/testers')
  assert.equal(status, 200)
  assert.equal(json.length, count)
  assert.deepEqual(json[0].groups, [{ id: 1, name: 'All' }])
})
