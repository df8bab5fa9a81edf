/** Tests the server behind a real nginx with the configuration that docs/operating.md gives. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { findFreePort } from '../scripts/free-port.ts'
import { createApplication, waitUntil } from './processes/api.ts'
import { hasNginx, startDocumentedNginx } from './processes/documented-nginx.ts'
import { openTemporaryFolder, startServerProcess, token } from './processes/server-process.ts'

const metricsToken = 'metrics-token-of-the-test'

describe('the server behind nginx as the documentation configures it', { timeout: 900_000 }, () => {
  const opened = new AsyncDisposableStack()
  let front: string
  let server: string

  before(async () => {
    if (!hasNginx()) return
    const folder = opened.use(await openTemporaryFolder()).path
    const port = await findFreePort()
    front = `http://127.0.0.1:${port}`
    const env = {
      FAIRLEAD_BASE_URL: front,
      FAIRLEAD_TRUST_PROXY: 'loopback',
      FAIRLEAD_METRICS_TOKEN: metricsToken,
      // All connections of nginx come from one address.
      FAIRLEAD_MAX_CONNECTIONS_PER_ADDRESS: '8',
    }
    server = opened.use(await startServerProcess({ dataDir: join(folder, 'data'), env })).url
    opened.use(await startDocumentedNginx(port, [server]))
  })
  after(() => opened.disposeAsync())

  const test = (name: string, run: () => Promise<void>) =>
    it(name, async (context: TestContext) => {
      if (hasNginx()) return run()
      assert.notEqual(process.env.CI, 'true', 'nothing may be left out here, and nginx is missing')
      context.skip('needs nginx')
    })

  const countStreams = async () => {
    const answer = await fetch(`${server}/metrics`, { headers: { Authorization: `Bearer ${metricsToken}` } })
    return Number(/^fairlead_event_streams (\d+)$/m.exec(await answer.text())?.[1])
  }

  void test('passes each event on within two seconds', async () => {
    const stream = await openStream(front)
    assert.match(stream.response.headers['content-type'] ?? '', /^text\/event-stream/)
    for (const alias of ['one', 'two', 'three']) {
      const startedAt = performance.now()
      const { length } = stream.text()
      await createApplication(front, alias)
      await waitUntil('the event comes', () => stream.text().slice(length).includes('"kind":"application"'))
      const took = performance.now() - startedAt
      assert.ok(took < 2000, `the event took ${took} ms`)
    }
    stream.close()
    await waitUntil('the server forgets the stream', async () => (await countStreams()) === 0)
  })

  void test('keeps streams of events open by heartbeats, and they take no place of other requests', async () => {
    const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(front)))
    assert.equal(await countStreams(), 20)
    const startedAt = performance.now()
    await Promise.all(streams.map((stream) => stream.until(/^:\nid: \S+\n\n/m)))
    const silence = performance.now() - startedAt
    assert.ok(silence < 25_000, `nothing came for ${silence} ms`)
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => fetch(`${front}/v1/applications`, { headers: { 'X-Service-Token': token } })),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    await createApplication(front, 'after-the-silence')
    await Promise.all(streams.map((stream) => stream.until(/"kind":"application"/)))
    for (const stream of streams) stream.close()
    await waitUntil('the server forgets the streams', async () => (await countStreams()) === 0)
  })

  void test('gives the answers of requests that it refuses before their end, not a 502', async () => {
    const refusals: [path: string, headers: Record<string, string>, status: number][] = [
      ['/v2/builds', { 'X-Service-Token': 'fl_wrong', 'X-Service-Application-Alias': 'one' }, 401],
      ['/v2/symbolsFiles', { 'X-Service-Token': token, 'X-Service-Application-Alias': 'unknown' }, 404],
      ['/v1/session', { 'Content-Type': 'application/json' }, 413],
      ['/v1/nothing', {}, 404],
    ]
    for (const [path, headers, status] of refusals) {
      for (const framing of [{ 'Content-Length': String(refusedBytes) }, { 'Transfer-Encoding': 'chunked' }]) {
        for (let round = 0; round < 5; round++) {
          assert.equal(await sendRefused(front + path, { ...headers, ...framing }), status, path)
        }
      }
    }
  })
})

const refusedBytes = 16 * 2 ** 20

/** Sends a body of `refusedBytes`, and returns the status, which may come before its end. */
async function sendRefused(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const sending = request(url, { method: 'POST', agent: false, headers })
  // nginx may close the connection before the whole body is sent.
  sending.on('error', () => {})
  const answered: Promise<IncomingMessage[]> = once(sending, 'response')
  sending.end(Buffer.alloc(refusedBytes))
  const [answer] = await answered
  answer?.resume()
  return answer?.statusCode
}

interface Stream {
  response: IncomingMessage
  text(): string
  until(fits: RegExp): Promise<void>
  close(): void
}

async function openStream(base: string): Promise<Stream> {
  const request = get(`${base}/v1/events`, { agent: false, headers: { 'X-Service-Token': token } })
  const [response]: IncomingMessage[] = await once(request, 'response')
  assert.equal(response?.statusCode, 200)
  let text = ''
  response.on('data', (chunk: Buffer) => (text += chunk.toString()))
  response.on('error', () => {})
  return {
    response,
    text: () => text,
    async until(fits) {
      while (!fits.test(text)) {
        assert.ok(!response.destroyed, `the stream ended: ${text}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    close: () => request.destroy(),
  }
}
