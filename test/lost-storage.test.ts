/** Tests a server whose S3 store loses answers, or does not answer for a while. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { randomBytes } from 'node:crypto'
import { openS3Objects } from '../apps/server/src/blobs/s3-objects.ts'
import { parseS3Location } from '../apps/server/src/settings/s3-location.ts'
import { type Radosgw, startRadosgw } from '../scripts/radosgw.ts'
import { callApi, createApk, createApplication, toSha256, uploadBuild, waitUntil } from './processes/api.ts'
import { openTemporaryFolder, type ServerProcess, startServerProcess } from './processes/server-process.ts'
import { startTcpProxy, type TcpProxy } from './processes/tcp-proxy.ts'

describe('a server whose S3 store fails', () => {
  const opened = new AsyncDisposableStack()
  let s3: Radosgw | undefined
  let proxy: TcpProxy
  let server: ServerProcess
  let storageUrl: string

  before(async () => {
    s3 = await startRadosgw()
    if (!s3) return
    opened.use(s3)
    storageUrl = await s3.createBucket('lost')
    proxy = opened.use(await startTcpProxy(Number(new URL(s3.endpoint).port)))
    const env = {
      FAIRLEAD_STORAGE_URL: storageUrl.replace(s3.endpoint, `http://127.0.0.1:${proxy.port}`),
      FAIRLEAD_DOWNLOADS: 'server',
      ...s3.environment,
    }
    const dataDir = opened.use(await openTemporaryFolder()).path
    server = opened.use(await startServerProcess({ dataDir, env }))
    await createApplication(server.url, 'lost')
  })
  after(() => opened.disposeAsync())

  const test = (name: string, run: (store: Radosgw) => Promise<void>) =>
    it(name, async (context) => {
      if (s3) return run(s3)
      assert.notEqual(process.env.CI, 'true', 'nothing may be left out here, and Ceph is missing')
      context.skip('needs Ceph')
    })

  const upload = async (apk: Uint8Array<ArrayBuffer>) => {
    const answer = await uploadBuild(server.url, 'lost', apk)
    assert.equal(answer.status, 201, answer.bytes.toString())
    const binary = await callApi(server.url, 'GET', `/v1/builds/${answer.json.id}/binary`)
    assert.deepEqual([binary.status, toSha256(binary.bytes)], [200, toSha256(apk)])
    return answer.json as { id: number }
  }

  void test('stores a build once when the answer to the PUT of its object is lost', async () => {
    const before = proxy.lostAnswers()
    proxy.loseAnswerTo('PUT /lost/')
    await upload(createApk())
    assert.equal(proxy.lostAnswers(), before + 1)
  })

  void test('stores a build once when the answer to the completion of its multipart upload is lost', async () => {
    const before = proxy.lostAnswers()
    proxy.loseAnswerTo('<CompleteMultipartUpload')
    await upload(createApk({ files: [{ name: 'assets/large', data: randomBytes(9 * 2 ** 20) }] }))
    assert.equal(proxy.lostAnswers(), before + 1)
  })

  void test('deletes a build when the answer to the deletion of its object is lost', async () => {
    const { id } = await upload(createApk())
    const before = proxy.lostAnswers()
    proxy.loseAnswerTo('DELETE /lost/')
    assert.equal((await callApi(server.url, 'DELETE', `/v1/builds/${id}`)).status, 204)
    await waitUntil('the answer is lost', () => proxy.lostAnswers() === before + 1)
    assert.equal((await callApi(server.url, 'GET', `/v1/builds/${id}`)).status, 404)
  })

  void test('finishes an upload when the store answers again', async () => {
    proxy.freezeAt('PUT /lost/')
    const uploading = upload(createApk())
    await waitUntil('the store is frozen', () => proxy.isFrozen())
    proxy.thaw()
    await uploading
  })

  void test('has kept the objects of all builds and no others', async ({ environment }) => {
    Object.assign(process.env, environment)
    const location = parseS3Location(storageUrl)
    assert.ok(typeof location !== 'string')
    const objects = await openS3Objects(location)
    opened.defer(() => objects.close())
    const { json: builds } = await callApi(server.url, 'GET', '/v1/applications/1/builds')
    const digests = new Set(builds.map(({ sha256 }: { sha256: string }) => sha256))
    assert.equal(digests.size, 3)
    const list = () => Array.fromAsync(objects.list(), ({ key }) => key.split('/').at(-1)?.slice(0, 64))
    // An object is deleted after its build.
    await waitUntil('the deleted object is gone', async () => (await list()).length <= digests.size)
    assert.deepEqual(new Set(await list()), digests)
  })
})
