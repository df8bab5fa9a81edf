import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { createClient, type Transmission, UploadAborted } from '../src/index.ts'
import { answer, hangUp, startScriptedServer, staySilent } from './scripted-server.ts'

const identity = (error: unknown) => error
const bytes = Buffer.alloc(3_000_000, 'fairlead')

describe('an upload', () => {
  let folder: string
  let path: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'client-'))
    path = join(folder, 'Shop (1).apk')
    await writeFile(path, bytes)
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('sends the file at a path with its name, and reports progress', async () => {
    await using server = await startScriptedServer(answer(201, { id: 5 }))
    const steps: number[] = []
    const onProgress = ({ sent, total }: { sent: number; total: number }) => steps.push(sent / total)
    const build = await createClient({ baseUrl: server.url }).builds.upload({ alias: 'shop', file: path, onProgress })
    assert.equal(build.id, 5)
    const seen = server.seen[0] ?? assert.fail('nothing arrived')
    assert.ok(seen.body.equals(bytes))
    assert.equal(seen.headers['content-length'], String(bytes.length))
    assert.equal(seen.headers['content-disposition'], "attachment; filename*=UTF-8''Shop%20%281%29.apk")
    assert.match(String(seen.headers['idempotency-key']), /^[0-9a-f]{32}$/)
    assert.deepEqual(
      steps,
      steps.toSorted((a, b) => a - b),
    )
    assert.equal(steps.at(-1), 1)
  })

  it('sends a stream of known or unknown size', async () => {
    await using server = await startScriptedServer(answer(201, { id: 5 }))
    const { builds } = createClient({ baseUrl: server.url })
    await builds.upload({ alias: 'shop', file: Readable.from([bytes]) })
    await builds.upload({ alias: 'shop', file: Readable.toWeb(Readable.from([bytes])), size: bytes.length })
    assert.deepEqual(
      server.seen.map(({ body, headers }) => [body.equals(bytes), headers['transfer-encoding']]),
      [
        [true, 'chunked'],
        [true, undefined],
      ],
    )
  })

  it('fails if a stream is not as long as announced', async () => {
    await using server = await startScriptedServer(answer(201, { id: 5 }))
    const { builds } = createClient({ baseUrl: server.url })
    for (const size of [bytes.length - 1, bytes.length + 1]) {
      await assert.rejects(builds.upload({ alias: 'shop', file: Readable.from([bytes]), size }), /changed/)
    }
  })

  it('starts again with the same idempotency key when the connection breaks, unless its file is a stream', async () => {
    await using server = await startScriptedServer(hangUp, answer(503, '', { 'Retry-After': '0' }), answer(201, {}))
    const { builds } = createClient({ baseUrl: server.url })
    await builds.upload({ alias: 'shop', file: path })
    const [first, second] = server.seen.map(({ headers }) => headers['idempotency-key'])
    assert.equal(first, second)
    await using breaking = await startScriptedServer(hangUp)
    const file = Readable.from([bytes])
    await assert.rejects(createClient({ baseUrl: breaking.url }).builds.upload({ alias: 'shop', file }), {
      httpStatus: 0,
    })
  })

  it('sends no body when the server refuses the headers', async () => {
    await using server = await startScriptedServer()
    // Without this listener, Node would answer "100 Continue" before the request is examined.
    server.onContinue((_request, response) => {
      response.writeHead(401, { 'Content-Type': 'application/json' }).end('{"title":"Unauthorized","detail":"No"}')
    })
    let sent = 0
    const upload = createClient({ baseUrl: server.url }).builds.upload({
      alias: 'shop',
      file: path,
      onProgress: (progress) => (sent = progress.sent),
    })
    await assert.rejects(upload, { httpStatus: 401, detail: 'No' })
    assert.equal(sent, 0)
  })

  it('stops sending when the server answers in the middle', async () => {
    await using server = await startScriptedServer((_request, response) => {
      response.writeHead(413, { Connection: 'close' }).end()
    })
    let sent = 0
    const endless = Readable.from(
      (function* () {
        for (;;) yield bytes
      })(),
    )
    const upload = createClient({ baseUrl: server.url }).builds.upload({
      alias: 'shop',
      file: endless,
      onProgress: (progress) => (sent = progress.sent),
    })
    await assert.rejects(upload, { httpStatus: 413 })
    assert.ok(sent < 100_000_000)
  })

  it('fails when no byte moves for too long, without a limit on the total time', async () => {
    await using server = await startScriptedServer(staySilent)
    const client = createClient({ baseUrl: server.url, idleTimeoutMs: 50, retries: 0 })
    const file = Readable.from(
      (async function* () {
        yield bytes
        await new Promise((resolve) => setTimeout(resolve, 30_000).unref())
      })(),
    )
    await assert.rejects(client.builds.upload({ alias: 'shop', file }), { detail: /said nothing/ })
  })

  it('ends with the reason of the signal', async () => {
    await using server = await startScriptedServer(staySilent)
    const abort = new AbortController()
    const upload = createClient({ baseUrl: server.url }).builds.upload({
      alias: 'shop',
      file: path,
      signal: abort.signal,
      onProgress: () => abort.abort(new Error('enough')),
    })
    await assert.rejects(upload, { message: 'enough' })
  })

  it('says which build the server made when the signal comes after the last byte', async () => {
    const abort = new AbortController()
    await using server = await startScriptedServer((request, response) => {
      request.on('end', () => {
        abort.abort()
        setTimeout(() => response.writeHead(201, { 'Content-Type': 'application/json' }).end('{"id":5}'), 50)
      })
      request.resume()
    })
    const { builds } = createClient({ baseUrl: server.url })
    const error: unknown = await builds.upload({ alias: 'shop', file: path, signal: abort.signal }).catch(identity)
    assert.ok(error instanceof UploadAborted)
    assert.deepEqual([error.name, error.build?.id, error.isUncertain], ['AbortError', 5, false])
  })

  it('goes on for the time given although there were more attempts than `retries`', async () => {
    await using server = await startScriptedServer(...Array.from({ length: 3 }, () => hangUp), answer(201, { id: 5 }))
    const failing = createClient({ baseUrl: server.url, retries: 1 })
    await assert.rejects(failing.builds.upload({ alias: 'shop', file: path }), { httpStatus: 0 })
    await using again = await startScriptedServer(...Array.from({ length: 3 }, () => hangUp), answer(201, { id: 5 }))
    const patient = createClient({ baseUrl: again.url, retries: 1, uploadRetryMs: 60_000 })
    assert.equal((await patient.builds.upload({ alias: 'shop', file: path })).id, 5)
  })

  it('fails with the error of the system if the file cannot be read', async () => {
    const { builds } = createClient({ baseUrl: 'http://127.0.0.1:1' })
    await assert.rejects(builds.upload({ alias: 'shop', file: join(folder, 'none.apk') }), { code: 'ENOENT' })
    await assert.rejects(builds.upload({ alias: 'shop', file: folder }), { code: 'EISDIR' })
  })

  it('is sent by the function `transmit` if one is given', async () => {
    const sent: Transmission[] = []
    const transmit = async (transmission: Transmission) => {
      sent.push(transmission)
      return { status: 201, text: '{"id":9}', retryAfter: null }
    }
    const client = createClient({ baseUrl: 'http://nowhere', token: 'fl_x', transmit })
    assert.equal((await client.builds.upload({ alias: 'shop', file: path })).id, 9)
    assert.equal(sent[0]?.url, 'http://nowhere/v2/builds')
    assert.equal(sent[0].headers['X-Service-Token'], 'fl_x')
  })
})
