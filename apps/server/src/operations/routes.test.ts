import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { startServer } from '../testing/start-server.ts'
import { createApplication, uploadApk } from '../testing/upload.ts'

const monitoring = join(import.meta.dirname, '../../../../deploy/monitoring')

const metricsToken = 'a-token-for-prometheus'

describe('metrics', async () => {
  const server = await startServer({ FAIRLEAD_METRICS_TOKEN: metricsToken })
  after(() => server[Symbol.asyncDispose]())
  const readMetrics = async () => {
    const { text } = await server.call('GET', '/metrics', {
      token: null,
      headers: { Authorization: `Bearer ${metricsToken}` },
    })
    const samples = text.matchAll(/^([a-z0-9_]+)(?:\{[^}]*\})? ([\d.e+-]+)$/gm)
    return new Map(Array.from(samples, ([, name = '', value]) => [name, Number(value)]))
  }

  // This one is first, because counts of the database are kept for some seconds.
  it('count stored data and waiting work', async () => {
    await createApplication(server, 'shop')
    const build = await uploadApk(server, { alias: 'shop' })
    const metrics = await readMetrics()
    assert.ok((metrics.get('fairlead_blobs') ?? 0) >= 1)
    assert.ok((metrics.get('fairlead_blob_bytes') ?? 0) >= build.size)
    assert.equal(metrics.get('fairlead_crash_reports_waiting'), 0)
    assert.equal(typeof metrics.get('fairlead_jobs_waiting'), 'number')
    assert.equal(typeof metrics.get('fairlead_jobs_oldest_seconds'), 'number')
  })

  it('name the versions of the server and of Node', async () => {
    assert.equal((await readMetrics()).get('fairlead_build_info'), 1)
  })

  it('have every series that the alerts and the Grafana dashboard ask for', async () => {
    const metrics = await readMetrics()
    const text = ['alerts.yaml', 'grafana-dashboard.json'].map((file) => readFileSync(join(monitoring, file), 'utf8'))
    const asked = new Set(text.join('\n').match(/\b(?:fairlead|nodejs|process)_[a-z0-9_]+/g))
    for (const name of asked) assert.ok(metrics.has(name), `${name} is not in /metrics`)
    assert.ok(asked.size > 5)
  })

  it('are off unless FAIRLEAD_METRICS_TOKEN is set, and then require that token', async () => {
    await using closed = await startServer()
    assert.equal((await closed.call('GET', '/metrics')).status, 404)
    for (const headers of [{}, { Authorization: 'Bearer wrong' }]) {
      const answer = await server.call('GET', '/metrics', { headers })
      assert.equal(answer.status, 401)
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
    }
  })
})
