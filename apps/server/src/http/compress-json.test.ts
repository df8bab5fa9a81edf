import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { requireAt } from '@fairlead/invariant'
import { startServer } from '../testing/start-server.ts'
import { createApplication, uploadApk } from '../testing/upload.ts'

describe('compression of answers', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const application = await createApplication(server, 'shop')
  const build = await uploadApk(server, { alias: 'shop' })

  const load = async (path: string, acceptEncoding?: string) => {
    const headers = { 'X-Service-Token': server.token, ...(acceptEncoding && { 'Accept-Encoding': acceptEncoding }) }
    const answer = requireAt<IncomingMessage>(await once(get(server.url + path, { headers }), 'response'), 0)
    return { encoding: answer.headers['content-encoding'], bytes: await buffer(answer) }
  }

  it('shortens JSON over 1 kB, whole or streamed, for clients that accept gzip', async () => {
    for (const path of [`/v1/builds/${build.id}`, `/v1/applications/${application.id}/builds`]) {
      const plain = await load(path)
      assert.equal(plain.encoding, undefined)
      const short = await load(path, 'gzip, br')
      assert.equal(short.encoding, 'gzip', path)
      assert.ok(short.bytes.length < plain.bytes.length)
      assert.deepEqual(gunzipSync(short.bytes), plain.bytes)
    }
  })

  it('leaves short answers, binaries and install pages as they are', async () => {
    for (const path of ['/healthz', `/v1/builds/${build.id}/binary`, new URL(build.installUrl).pathname]) {
      assert.equal((await load(path, 'gzip')).encoding, undefined, path)
    }
  })
})
