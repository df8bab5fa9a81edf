/** Tests restarting replicas one after the other behind nginx while clients go on. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { after, before, describe, it, type TestContext } from 'node:test'
import { callApi, createApk, createApplication, toSha256, waitUntil } from './processes/api.ts'
import { startLoad } from './processes/mixed-load.ts'
import { type ReplicaSet, startReplicas } from './processes/replica-set.ts'
import { token } from './processes/server-process.ts'

describe('a rolling restart', () => {
  const opened = new AsyncDisposableStack()
  let set: ReplicaSet | undefined

  before(async () => {
    set = await startReplicas(3)
    if (set) opened.use(set)
  })
  after(() => opened.disposeAsync())

  const test = (name: string, run: (set: ReplicaSet, context: TestContext) => Promise<void>) =>
    it(name, async (context) => {
      if (set) return run(set, context)
      assert.notEqual(process.env.CI, 'true', 'nothing may be left out here, and PostgreSQL, Ceph or nginx is missing')
      context.skip('needs PostgreSQL, Ceph and nginx')
    })

  void test('lets uploads finish that began through nginx before it', async (set) => {
    await createApplication(set.url, 'long')
    const countClosing = () => set.output().split('"shutting down"').length
    for (let index = 0; index < set.size; index++) {
      // nginx distributes requests in turn, so one of these reaches the replica that is restarted.
      const uploads = await Promise.all(Array.from({ length: set.size }, () => beginUpload(set.url)))
      const before = countClosing()
      const restarted = set.restart(index, 'SIGTERM')
      await waitUntil('the replica closes', () => countClosing() > before)
      const statuses = await Promise.all(uploads.map((upload) => upload.finish()))
      assert.deepEqual(statuses, [201, 201, 201])
      assert.equal(await restarted, 0, 'a replica did not end as it should')
    }
  })

  void test('lets other replicas go on with a resumable upload', async (set) => {
    const [first = '', second = '', third = ''] = set.urls
    await createApplication(first, 'resumed')
    const apk = createApk({ files: [{ name: 'assets/data', data: randomBytes(2 ** 20) }] })
    const tus = { 'Tus-Resumable': '1.0.0', 'Content-Type': 'application/offset+octet-stream' }
    const started = await callApi(first, 'POST', '/v2/uploads', {
      headers: { ...tus, 'Upload-Length': String(apk.length), 'X-Service-Application-Alias': 'resumed' },
    })
    const path = started.headers.get('location') ?? ''
    const append = (url: string, start: number, end: number) =>
      callApi(url, 'PATCH', path, {
        headers: { ...tus, 'Upload-Offset': String(start), Prefer: 'return=representation' },
        body: apk.subarray(start, end),
      })
    assert.equal((await append(first, 0, 500_000)).status, 204)
    // The other replicas cannot read the disk of the first one.
    await set.restart(0, 'SIGKILL')
    assert.equal((await append(second, 500_000, 1_000_000)).status, 204)
    const { status, json: build } = await append(third, 1_000_000, apk.length)
    assert.deepEqual([status, build.sha256], [201, toSha256(apk)])
    const binary = await callApi(first, 'GET', `/v1/builds/${build.id}/binary`)
    assert.equal(toSha256(binary.bytes), build.sha256)
  })

  void test('fails no request and interrupts no upload', async (set, context) => {
    const load = await startLoad(set.url, { clients: 6, seed: 1, testers: ['ada@example.com'] })
    for (let index = 0; index < set.size; index++) {
      assert.equal(await set.restart(index, 'SIGTERM'), 0, 'a replica did not end as it should')
    }
    await load.stop()
    const { statuses, faults } = load.ledger
    context.diagnostic([...statuses].map(([key, count]) => `${key}: ${count}`).join(', '))
    assert.deepEqual(faults, [])
    // The clients of the load retry other statuses, but a rolling restart must not make a client retry.
    const failed = [...statuses.keys()].filter((key) => !/ (2\d\d|404)$/.test(key))
    assert.deepEqual(failed, [], `${failed.join(', ')}; nginx says: ${await set.readProxyLog()}`)
  })
})

/** Sends the first half of a build, and the rest when `finish` is called. */
async function beginUpload(url: string): Promise<{ finish(): Promise<number | undefined> }> {
  const apk = createApk({ files: [{ name: 'assets/data', data: randomBytes(2 ** 20) }] })
  const headers = {
    'X-Service-Token': token,
    'X-Service-Application-Alias': 'long',
    'Content-Length': apk.length,
  }
  const sending = request(`${url}/v2/builds`, { method: 'POST', headers })
  const answered: Promise<IncomingMessage[]> = once(sending, 'response')
  answered.catch(() => {})
  await new Promise((resolve) => sending.write(apk.subarray(0, apk.length / 2), resolve))
  return {
    async finish() {
      sending.end(apk.subarray(apk.length / 2))
      const [answer] = await answered
      assert.ok(answer)
      answer.resume()
      return answer.statusCode
    },
  }
}
