import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startServer } from '../testing/start-server.ts'

it('metrics are off without a token, and need it otherwise', async () => {
  await using closed = await startServer()
  assert.equal((await closed.call('GET', '/metrics')).status, 404)
  const token = 'a-token-for-prometheus'
  await using server = await startServer({ FAIRLEAD_METRICS_TOKEN: token })
  assert.equal((await server.call('GET', '/metrics')).status, 401)
  assert.equal((await server.call('GET', '/metrics', { headers: { Authorization: 'Bearer wrong' } })).status, 401)
  const answer = await server.call('GET', '/metrics', { token: null, headers: { Authorization: `Bearer ${token}` } })
  assert.equal(answer.status, 200)
  assert.match(answer.text, /fairlead_http_requests_total/)
})
