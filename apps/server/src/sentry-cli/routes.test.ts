import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { after, describe, it } from 'node:test'
import { createCrashApplication, deliver, listAllCrashes, waitUntilRead } from '../testing/crashes.ts'
import { startServer } from '../testing/start-server.ts'

const toSha1 = (bytes: Buffer) => createHash('sha1').update(bytes).digest('hex')

describe('uploads of sentry-cli', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const headers = { Authorization: `Bearer ${server.token}` }
  const assemblePath = '/api/0/projects/any/ledger/files/difs/assemble/'

  const call = (method: string, path: string, options: { headers?: Record<string, string>; body?: Buffer | string }) =>
    server.call(method, path, { token: null, ...options, headers: { ...headers, ...options.headers } })
  const sendChunks = async (chunks: Buffer[]) => {
    const boundary = 'boundary-of-the-test'
    const parts = chunks.flatMap((chunk) => [
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="file_gzip"; filename="${toSha1(chunk)}"\r\n\r\n`,
      ),
      gzipSync(chunk),
      Buffer.from('\r\n'),
    ])
    const body = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
    const type = { 'Content-Type': `multipart/form-data; boundary=${boundary}` }
    return call('POST', '/api/0/organizations/any/chunk-upload/', { headers: type, body })
  }

  it('need a token, and can ask for the limits', async () => {
    const path = '/api/0/organizations/any/chunk-upload/'
    assert.equal((await server.call('GET', path, { token: null })).status, 401)
    const { json } = await call('GET', path, {})
    assert.equal(json.hashAlgorithm, 'sha1')
    assert.ok(json.url.endsWith(path))
    assert.ok(json.accept.includes('proguard'))
  })

  it('send the chunks that are missing, and the mapping then reads waiting crashes by its id', async () => {
    const app = await createCrashApplication(server, 'ledger')
    const uuid = '5db7294d-87fc-5726-a5c0-4a90679657a5'
    const event = {
      event_id: 'a'.repeat(32),
      platform: 'java',
      level: 'fatal',
      debug_meta: { images: [{ type: 'proguard', uuid }] },
      exception: {
        values: [
          {
            type: 'b',
            module: 'a',
            stacktrace: { frames: [{ module: 'a.c', function: 'a', lineno: 1, filename: 'SourceFile' }] },
          },
        ],
      },
    }
    await deliver(server, app, 'sentry-store', JSON.stringify(event))
    const { json: waiting } = await waitUntilRead(server, app.id)
    assert.equal(waiting.waitingStackCount, 1)
    const mapping = Buffer.from(
      'org.tarn.Failure -> a.b:\norg.tarn.Wallet -> a.c:\n    1:1:void debit():42:42 -> a\n' +
        '# filler\n'.repeat(1000),
    )
    const chunks = [mapping.subarray(0, 5000), mapping.subarray(5000)]
    const file = { name: `/proguard/${uuid}.txt`, chunks: chunks.map(toSha1) }
    const body = JSON.stringify({ [toSha1(mapping)]: file })
    const { json: before } = await call('POST', assemblePath, { body })
    assert.equal(before[toSha1(mapping)].state, 'not_found')
    assert.deepEqual(before[toSha1(mapping)].missingChunks, file.chunks)
    assert.equal((await sendChunks(chunks)).status, 200)
    const assembled = await call('POST', assemblePath, { body })
    const { state, dif, detail } = assembled.json[toSha1(mapping)]
    assert.equal(state, 'ok', detail)
    assert.equal(dif.uuid, uuid)
    await waitUntilRead(server, app.id)
    const [crash] = await listAllCrashes(server, app.id)
    assert.equal(crash.frames[0].function, 'org.tarn.Wallet.debit')
    assert.equal(crash.frames[0].line, 42)
    assert.equal(crash.exceptions[0].type, 'org.tarn.Failure')
    assert.equal(crash.frames[0].reported.className, 'a.c')
  })

  it('are refused when a chunk has another SHA-1, and the answer names the fault of a file', async () => {
    const boundary = 'b'
    const disposition = `Content-Disposition: form-data; name="file"; filename="${'0'.repeat(40)}"`
    const part = `--b\r\n${disposition}\r\n\r\nx\r\n--b--\r\n`
    const type = { 'Content-Type': `multipart/form-data; boundary=${boundary}` }
    const lying = await call('POST', '/api/0/organizations/any/chunk-upload/', { headers: type, body: part })
    assert.equal(lying.status, 400)
    const chunk = Buffer.from('no mapping at all')
    await sendChunks([chunk])
    const other = toSha1(Buffer.from('another file'))
    const file = { name: '/proguard/x.txt', chunks: [toSha1(chunk)] }
    const { json } = await call('POST', assemblePath, { body: JSON.stringify({ [other]: file }) })
    assert.equal(json[other].state, 'error')
    assert.match(json[other].detail, /SHA-1/)
    assert.equal((await call('POST', assemblePath, { body: '{' })).status, 400)
    assert.equal((await call('POST', assemblePath.replace('ledger', 'nobody'), { body: '{}' })).status, 404)
  })

  it('need no chunks for a file that is kept, and are others for each debug id of an obfuscation map', async () => {
    const app = await createCrashApplication(server, 'maps')
    const map = Buffer.from('["Wallet", "aa", "Failure", "ab"]')
    const chunks = [map.subarray(0, 10), map.subarray(10)]
    const path = assemblePath.replace('ledger', 'maps')
    const ids = ['1c13cc07-03a8-24c1-e932-68ce19322737', '8baeac1d-342a-3d6d-c627-1a742f5d5210']
    const toBody = (id: string | undefined, sha1s: string[]) =>
      JSON.stringify({ [toSha1(map)]: { name: 'map.json', debug_id: id, chunks: sha1s } })
    await sendChunks(chunks)
    const unnamed = await call('POST', path, { body: toBody(undefined, chunks.map(toSha1)) })
    assert.equal(unnamed.json[toSha1(map)].state, 'error')
    for (const id of ids) {
      const { json } = await call('POST', path, { body: toBody(`${id.toUpperCase()}-0`, chunks.map(toSha1)) })
      const { state, dif, detail } = json[toSha1(map)]
      assert.deepEqual([state, dif?.uuid, dif?.debugId, dif?.cpuName], ['ok', id, id, 'any'], detail)
    }
    const unknown = ['0'.repeat(40)]
    const { json } = await call('POST', path, { body: toBody(ids[0], unknown) })
    assert.deepEqual([json[toSha1(map)].state, json[toSha1(map)].missingChunks], ['ok', []])
    const other = await call('POST', path, { body: toBody('5db7294d-87fc-5726-a5c0-4a90679657a5', unknown) })
    assert.equal(other.json[toSha1(map)].state, 'not_found')
    const { json: files } = await server.call('GET', `/v1/applications/${app.id}/symbolsFiles`)
    assert.equal(files.length, 2)
  })

  it('may bring a bundle of sources, which is answered and not kept', async () => {
    const app = await createCrashApplication(server, 'sources')
    const bundle = Buffer.concat([
      Buffer.from('SYSB'),
      Buffer.from([2, 0, 0, 0]),
      Buffer.from('PK\x05\x06'),
      Buffer.alloc(18),
    ])
    await sendChunks([bundle])
    const file = { name: 'sources.zip', debug_id: '40ff7f9c-c75d-310e-3eb5-759c061f3399', chunks: [toSha1(bundle)] }
    const { json } = await call('POST', assemblePath.replace('ledger', 'sources'), {
      body: JSON.stringify({ [toSha1(bundle)]: file }),
    })
    assert.equal(json[toSha1(bundle)].state, 'ok')
    const { json: files } = await server.call('GET', `/v1/applications/${app.id}/symbolsFiles`)
    assert.deepEqual(files, [])
  })

  it('are told to try again while too many files wait, and are assembled when the others have left', async () => {
    await createCrashApplication(server, 'waiting')
    const mappings = Array.from({ length: 30 }, (_, place) => Buffer.from(`org.tarn.File${place} -> a.b:\n`))
    for (let at = 0; at < mappings.length; at += 6) {
      assert.equal((await sendChunks(mappings.slice(at, at + 6))).status, 200)
    }
    const path = assemblePath.replace('ledger', 'waiting')
    const leaving = new AbortController()
    const requests = mappings.map((mapping, place) => {
      const sha1 = toSha1(mapping)
      const name = `/proguard/5db7294d-87fc-5726-a5c0-${String(place).padStart(12, '0')}.txt`
      return { sha1, body: JSON.stringify({ [sha1]: { name, chunks: [sha1] } }) }
    })
    const { promise: refused, resolve, reject } = Promise.withResolvers<{ sha1: string; body: string }>()
    const sent = requests.map(async (request) => {
      const { signal } = leaving
      const answer = await fetch(server.url + path, { method: 'POST', headers, body: request.body, signal })
      const text = await answer.text()
      if (answer.status === 200) return
      // sentry-cli sends an assembly again after 503, and gives up after 429.
      assert.equal(answer.status, 503, text)
      assert.ok(Number(answer.headers.get('retry-after')) > 0)
      resolve(request)
    })
    const ended = Promise.allSettled(sent)
    void ended.then(() => reject(new Error('The queue was never full.')))
    const { sha1, body } = await refused
    leaving.abort()
    await ended
    const { json } = await call('POST', path, { body })
    assert.equal(json[sha1].state, 'ok', json[sha1].detail)
  })
})
