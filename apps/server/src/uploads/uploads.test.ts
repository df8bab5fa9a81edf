import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { request as openRequest } from 'node:http'
import { after, before, describe, it } from 'node:test'
import type { Build } from '@fairlead/contract'
import { Upload } from 'tus-js-client'
import { type Db, openDatabase } from '../db/open.ts'
import { createSecondWorkspace } from '../testing/second-workspace.ts'
import { type Answer, startServer, type TestServer } from '../testing/start-server.ts'
import { createApk, createApplication, uploadBytes } from '../testing/upload.ts'

const tus = { 'Tus-Resumable': '1.0.0' }
const stream = { ...tus, 'Content-Type': 'application/offset+octet-stream' }
const withBuild = { Prefer: 'return=representation' }

describe('a resumable upload', () => {
  let server: TestServer
  let db: Db
  let versionCode = 0

  before(async () => {
    server = await startServer({ FAIRLEAD_MAX_UPLOAD_BYTES: '50000000' })
    db = (await openDatabase({ databaseUrl: server.databaseUrl, dataDir: server.dataDir })).db
    await createApplication(server, 'shop')
  })
  after(async () => {
    await db.destroy()
    await server[Symbol.asyncDispose]()
  })

  const nextApk = () => createApk({ versionCode: ++versionCode })

  const start = async (length: number, headers: Record<string, string> = {}): Promise<string> => {
    const answer = await server.call('POST', '/v2/uploads', {
      headers: { ...tus, 'Upload-Length': String(length), 'X-Service-Application-Alias': 'shop', ...headers },
    })
    assert.equal(answer.status, 201, answer.text)
    assert.equal(answer.headers.get('tus-resumable'), '1.0.0')
    assert.ok(Date.parse(answer.headers.get('upload-expires') ?? '') > Date.now())
    return answer.headers.get('location') ?? ''
  }
  const append = (path: string, offset: number, body: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    server.call('PATCH', path, { headers: { ...stream, 'Upload-Offset': String(offset), ...headers }, body })
  const readOffset = async (path: string): Promise<number> => {
    const answer = await server.call('HEAD', path, { headers: tus })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    return Number(answer.headers.get('upload-offset'))
  }
  const refuse = (answer: Answer, status: number, detail: RegExp) => {
    assert.equal(answer.status, status, answer.text)
    assert.match(answer.json.detail, detail)
    assert.equal(answer.headers.get('tus-resumable'), '1.0.0')
  }

  it('becomes the build that one request would have made, and leaves only its bytes', async () => {
    const apk = nextApk()
    const headers = { 'X-Service-Branch': 'main', 'Content-Disposition': 'attachment; filename="shop.apk"' }
    const path = await start(apk.length, headers)
    const first = await append(path, 0, apk.subarray(0, 1000))
    assert.deepEqual([first.status, first.headers.get('upload-offset'), first.text], [204, '1000', ''])
    assert.equal(await readOffset(path), 1000)
    const last = await append(path, 1000, apk.subarray(1000), withBuild)
    assert.equal(last.status, 201)
    const build: Build = last.json
    const { id: _id, installUrl: _url, ...rest } = await uploadBytes(server, apk, { alias: 'shop', headers })
    assert.deepEqual(Object.keys(build).toSorted(), [...Object.keys(rest), 'id', 'installUrl'].toSorted())
    assert.deepEqual(
      [build.sha256, build.fileName, build.source?.branch, build.version],
      [createHash('sha256').update(apk).digest('hex'), 'shop.apk', 'main', String(versionCode)],
    )
    assert.ok((await server.listBlobs()).every((key) => !key.endsWith('-part')))
    const { json: events } = await server.call('GET', '/v1/auditEvents')
    assert.equal(
      events.filter((event: { details: { sha256?: string } }) => event.details.sha256 === build.sha256).length,
      2,
    )
  })

  it('answers without a body to clients that ask for none, and repeats an answer that was lost', async () => {
    const apk = nextApk()
    const path = await start(apk.length)
    const last = await append(path, 0, apk)
    assert.deepEqual([last.status, last.text], [204, ''])
    const id = Number(last.headers.get('x-service-build-id'))
    const head = await server.call('HEAD', path, { headers: tus })
    assert.equal(head.headers.get('x-service-build-id'), String(id))
    const again = await append(path, apk.length, new Uint8Array(), withBuild)
    assert.deepEqual([again.status, again.json.id], [201, id])
  })

  it('keeps the bytes that have arrived when the connection breaks or hangs', async () => {
    const apk = nextApk()
    for (const isCut of [true, false]) {
      const path = await start(apk.length)
      const headers = { ...stream, 'X-Service-Token': server.token, 'Upload-Offset': '0', 'Content-Length': apk.length }
      const broken = openRequest(server.url + path, {
        method: 'PATCH',
        headers: { ...headers, Expect: '100-continue' },
      })
      broken.on('error', () => {})
      const ended = new Promise((resolve) => broken.once('close', resolve))
      broken.flushHeaders()
      // From here on the server waits for bytes.
      await new Promise((resolve) => broken.once('continue', resolve))
      await new Promise((resolve) => broken.write(apk.subarray(0, 700), resolve))
      if (isCut) broken.destroy()
      const offset = await readOffset(path)
      assert.ok([0, 700].includes(offset), `the offset is ${offset}`)
      await ended
      const now = await readOffset(path)
      const last = await append(path, now, apk.subarray(now), withBuild)
      assert.equal(last.status, 201, last.text)
      assert.equal(last.json.sha256, createHash('sha256').update(apk).digest('hex'))
    }
  })

  it('discards bytes that do not have their checksum', async () => {
    const apk = nextApk()
    const path = await start(apk.length)
    for (const algorithm of ['sha1', 'sha256']) {
      const other = createHash(algorithm).update('other').digest('base64')
      refuse(await append(path, 0, apk, { 'Upload-Checksum': `${algorithm} ${other}` }), 460, /discarded/)
      assert.equal(await readOffset(path), 0)
    }
    refuse(await append(path, 0, apk, { 'Upload-Checksum': 'md5 eA==' }), 400, /sha1,sha256/)
    const sum = createHash('sha1').update(apk).digest('base64')
    assert.equal((await append(path, 0, apk, { 'Upload-Checksum': `sha1 ${sum}` })).status, 204)
  })

  it('refuses requests that violate the protocol, and changes nothing', async () => {
    const apk = nextApk()
    const path = await start(apk.length)
    const behind = await append(path, 5, apk)
    refuse(behind, 409, /not the offset/)
    assert.equal(behind.headers.get('upload-offset'), '0')
    refuse(await append(path, 0, apk, { 'Tus-Resumable': '0.2.2' }), 412, /1\.0\.0/)
    refuse(await append(path, 0, apk, { 'Content-Type': 'text/plain' }), 415, /offset\+octet-stream/)
    refuse(await append(path, 0, new Uint8Array(apk.length + 1)), 413, /over the limit/)
    refuse(await append(path, 0, apk, { 'Upload-Offset': '-1' }), 400, /Upload-Offset/)
    assert.equal(await readOffset(path), 0)
    refuse(await append('/v2/uploads/0123', 0, apk), 404, /does not exist/)
    const begin = (headers: Record<string, string>) =>
      server.call('POST', '/v2/uploads', { headers: { ...tus, 'X-Service-Application-Alias': 'shop', ...headers } })
    refuse(await begin({}), 400, /Upload-Length/)
    refuse(await begin({ 'Upload-Length': '50000001' }), 413, /over the limit/)
    refuse(await begin({ 'Upload-Length': '9', 'Upload-Metadata': 'filename $' }), 400, /Upload-Metadata/)
    const wrong = { 'Upload-Length': '9', 'X-Service-Application-Alias': 'none' }
    refuse(await begin(wrong), 404, /No application with the given alias/)
    assert.equal((await server.call('POST', '/v2/uploads', { token: null })).status, 401)
  })

  it('belongs to the token that began it', async () => {
    const path = await start(9)
    const { json: other } = await server.call('POST', '/v1/apiTokens', { json: { name: 'other', role: 'admin' } })
    for (const token of [other.token, await createSecondWorkspace(server)]) {
      for (const method of ['HEAD', 'PATCH', 'DELETE']) {
        const headers = { ...stream, 'Upload-Offset': '0' }
        assert.equal((await server.call(method, path, { token, headers })).status, 404)
      }
    }
    const { json: viewer } = await server.call('POST', '/v1/apiTokens', { json: { name: 'v', role: 'viewer' } })
    assert.equal((await server.call('POST', '/v2/uploads', { token: viewer.token, headers: tus })).status, 403)
  })

  it('leaves nothing when it is discarded, refused as a build, or expired', async () => {
    const before = (await server.listBlobs()).length
    const bytes = new TextEncoder().encode('not an app at all')
    const discarded = await start(bytes.length)
    await append(discarded, 0, bytes.subarray(0, 5))
    assert.equal((await server.call('DELETE', discarded, { headers: tus })).status, 204)
    const refused = await start(bytes.length)
    refuse(await append(refused, 0, bytes), 422, /zip/)
    const expired = await start(bytes.length)
    await append(expired, 0, bytes.subarray(0, 5))
    await db
      .updateTable('unfinished_uploads')
      .set({ expires_at: Date.now() - 1 })
      .where('id', '=', expired.split('/').at(-1) ?? '')
      .execute()
    for (const path of [discarded, refused, expired]) {
      assert.equal((await server.call('HEAD', path, { headers: tus })).status, 404)
    }
    // An upload that begins removes those of its workspace that have expired.
    await start(bytes.length)
    assert.equal((await server.listBlobs()).length, before)
  })

  it('is not found when some of its bytes are lost, as after a restored backup', async () => {
    const path = await start(9)
    await append(path, 0, new Uint8Array(5))
    await db.updateTable('upload_parts').set({ blob_key: 'aa-lost' }).where('size', '=', 5).execute()
    refuse(await append(path, 5, new Uint8Array(4)), 404, /does not exist/)
    assert.equal((await server.call('HEAD', path, { headers: tus })).status, 404)
  })

  it('gets the first build for a key that was used before, and is refused for another file', async () => {
    const apk = nextApk()
    const key = { 'Idempotency-Key': 'one' }
    const first = await uploadBytes(server, apk, { alias: 'shop', headers: key })
    const path = await start(apk.length, key)
    assert.equal((await append(path, 0, apk, withBuild)).json.id, first.id)
    const headers = { ...tus, ...key, 'X-Service-Application-Alias': 'shop', 'Upload-Length': '9' }
    refuse(await server.call('POST', '/v2/uploads', { headers }), 422, /Idempotency-Key/)
  })

  it('is limited in number for a workspace', async () => {
    const token = await createSecondWorkspace(server)
    const json = { name: 'Shop', alias: 'shop', platform: 'android' }
    await server.call('POST', '/v1/applications', { token, json })
    const headers = { ...tus, 'Upload-Length': '9', 'X-Service-Application-Alias': 'shop' }
    const begin = () => server.call('POST', '/v2/uploads', { token, headers })
    assert.equal((await begin()).status, 201)
    const row = await db
      .selectFrom('unfinished_uploads')
      .selectAll()
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow()
    const more = Array.from({ length: 99 }, (_, index) => ({ ...row, id: `more-${index}` }))
    await db.insertInto('unfinished_uploads').values(more).execute()
    refuse(await begin(), 429, /too many unfinished uploads/)
  })

  it('tells the abilities of the server, and takes the method from a header', async () => {
    const options = await server.call('OPTIONS', '/v2/uploads')
    assert.equal(options.headers.get('tus-extension'), 'creation,creation-with-upload,checksum,expiration,termination')
    assert.equal(options.headers.get('tus-max-size'), '50000000')
    const path = await start(9)
    const override = (method: string) =>
      server.call('POST', path, {
        headers: { ...stream, 'Upload-Offset': '0', 'X-HTTP-Method-Override': method },
        body: 'a',
      })
    assert.equal((await override('PATCH')).headers.get('upload-offset'), '1')
    assert.equal((await override('PUT')).status, 405)
    assert.equal((await override('DELETE')).status, 204)
  })

  for (const uploadDataDuringCreation of [false, true]) {
    it(`works with tus-js-client${uploadDataDuringCreation ? ', with bytes in the first request' : ''}`, async () => {
      const apk = nextApk()
      const upload = await new Promise<Upload>((resolve, reject) => {
        const sending: Upload = new Upload(Buffer.from(apk), {
          endpoint: `${server.url}/v2/uploads`,
          headers: { 'X-Service-Token': server.token },
          metadata: { alias: 'shop', filename: 'Grüße.apk', branch: 'main' },
          chunkSize: 1000,
          uploadDataDuringCreation,
          onError: reject,
          onSuccess: () => resolve(sending),
        })
        sending.start()
      })
      const head = await server.call('HEAD', new URL(upload.url ?? '').pathname, { headers: tus })
      const build = await server.call('GET', `/v1/builds/${head.headers.get('x-service-build-id')}`)
      assert.deepEqual(
        [build.json.sha256, build.json.fileName, build.json.source.branch],
        [createHash('sha256').update(apk).digest('hex'), 'Grüße.apk', 'main'],
      )
    })
  }
})
