/** Stores a large test report while other clients work. The embedded database runs on the thread that answers them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openTemporaryFolder, startServerProcess, token } from './processes/server-process.ts'

const headers = { 'X-Service-Token': token, 'X-Service-Application-Alias': 'shop' }
const metricsToken = 'metrics-of-the-attacked-server'

const failure = (index: number) =>
  `<failure message="expected ${index} but was x" type="AssertionError">at a.B${index}.c(D.java:${index})</failure>`

const reports = [
  { name: '20,000 different cases', body: write(20_000, (index) => `<testcase name="c${index}" classname="b"/>`) },
  { name: '30,000 equal cases', body: write(30_000, () => '<testcase name="a" classname="b"/>') },
  {
    name: '4,000 failures',
    body: write(4000, (index) => `<testcase name="f${index}" classname="b">${failure(index)}</testcase>`),
  },
]

function write(count: number, toCase: (index: number) => string): string {
  return `<testsuite name="unit">${Array.from({ length: count }, (_, index) => toCase(index)).join('')}</testsuite>`
}

describe('a large test report', () => {
  for (const { name, body } of reports) {
    it(`is stored in turns with other requests: ${name}`, async () => {
      await using folder = await openTemporaryFolder()
      const env = { FAIRLEAD_METRICS_TOKEN: metricsToken, FAIRLEAD_LOG_LEVEL: 'error' }
      await using server = await startServerProcess({ dataDir: folder.path, env })
      const json = { ...headers, 'Content-Type': 'application/json' }
      const application = JSON.stringify({ name: 'Shop', alias: 'shop', platform: 'android' })
      await fetch(`${server.url}/v1/applications`, { method: 'POST', headers: json, body: application })
      const stored = new AbortController()
      let answered = 0
      const work = async () => {
        while (!stored.signal.aborted) {
          const answer = await fetch(`${server.url}/v1/applications`, { headers })
          assert.equal(answer.status, 200)
          await answer.arrayBuffer()
          answered++
        }
      }
      await readLongestDelay(server.url)
      const working = work()
      const startedAt = performance.now()
      const sent = { ...headers, 'X-Service-Branch': 'main', 'X-Service-Shard': '1/1' }
      const answer = await fetch(`${server.url}/v1/testReports`, { method: 'POST', headers: sent, body })
      const tookMs = performance.now() - startedAt
      stored.abort()
      await working
      assert.equal(answer.status, 201, await answer.text())
      assert.ok(answered > 10, `${answered} other requests were answered`)
      // The share is independent of how busy the machine is. Stored in one piece, it would be more than a half.
      const delayMs = await readLongestDelay(server.url)
      assert.ok(delayMs < tookMs / 5, `the event loop stood still for ${delayMs} of ${tookMs} ms`)
    })
  }

  it('is refused when it has more cases than one report may have', async () => {
    await using folder = await openTemporaryFolder()
    await using server = await startServerProcess({ dataDir: folder.path })
    const json = { ...headers, 'Content-Type': 'application/json' }
    const application = JSON.stringify({ name: 'Shop', alias: 'shop', platform: 'android' })
    await fetch(`${server.url}/v1/applications`, { method: 'POST', headers: json, body: application })
    const body = write(250_001, () => '<testcase name="a"/>')
    const sent = { ...headers, 'X-Service-Branch': 'main' }
    const answer = await fetch(`${server.url}/v1/testReports`, { method: 'POST', headers: sent, body })
    assert.equal(answer.status, 422)
    assert.match(await answer.text(), /more than 250000 cases/)
  })
})

/** Reads the longest delay of the event loop since the last reading, in milliseconds. */
async function readLongestDelay(url: string): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${metricsToken}` } })
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(await answer.text())?.[1] ?? 'NaN') * 1000
}
