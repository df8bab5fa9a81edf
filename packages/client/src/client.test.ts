import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { after, before, beforeEach, describe, it } from 'node:test'
import { createClient, RequestError } from './index.ts'

interface Seen {
  method: string | undefined
  url: string | undefined
  headers: IncomingHttpHeaders
  body: Buffer
}

describe('the client', () => {
  let seen: Seen[] = []
  let answer: { status: number; body: unknown; headers?: Record<string, string> }
  let baseUrl: string

  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      seen.push({ method: request.method, url: request.url, headers: request.headers, body })
      const isPlain = typeof answer.body === 'string' || Buffer.isBuffer(answer.body)
      const text = isPlain ? answer.body : JSON.stringify(answer.body)
      response.writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers }).end(text)
    })
  })

  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    assert.ok(address !== null && typeof address === 'object')
    baseUrl = `http://127.0.0.1:${address.port}`
  })

  beforeEach(() => {
    seen = []
    answer = { status: 200, body: [] }
  })

  after(() => server.close())

  it('uploads a file, reports progress, and distributes the build', async () => {
    const client = createClient({ baseUrl, token: 'fl_secret' })
    const file = new Blob([Buffer.alloc(300_000, 7)])
    const steps: number[] = []
    answer = { status: 201, body: { id: 5 } }
    const build = await client.builds.upload({
      alias: 'my-app',
      file,
      fileName: 'Grüße.apk',
      source: { branch: 'grün' },
      onProgress: ({ sent, total }) => steps.push(sent / total),
    })
    assert.equal(build.id, 5)
    const [upload] = seen
    assert.equal(upload?.body.length, 300_000)
    assert.equal(upload.headers['x-service-token'], 'fl_secret')
    assert.equal(upload.headers['x-service-application-alias'], 'my-app')
    assert.equal(upload.headers['content-disposition'], "attachment; filename*=UTF-8''Gr%C3%BC%C3%9Fe.apk")
    assert.equal(Buffer.from(String(upload.headers['x-service-branch']), 'latin1').toString(), 'grün')
    assert.equal(steps.at(-1), 1)

    answer = { status: 201, body: '' }
    await client.builds.distribute(build.id, { distributionGroupNames: ['Beta'], notifyTesters: true })
    assert.equal(seen[1]?.url, '/v1/builds/5/distribute')
    assert.deepEqual(JSON.parse(String(seen[1].body)), { distributionGroupNames: ['Beta'], notifyTesters: true })
  })

  it('throws the error of the server, with the place of each fault', async () => {
    const errors = [{ source: '/alias', detail: 'is taken' }]
    const body = { id: '2b1d', httpStatus: 422, title: 'Unprocessable Content', detail: 'No', errors }
    answer = { status: 422, body }
    await assert.rejects(createClient({ baseUrl }).applications.get(1), (error) => {
      assert.ok(error instanceof RequestError)
      const { id, httpStatus, title, detail, faults } = error
      assert.deepEqual({ id, httpStatus, title, detail, errors: faults }, body)
      return true
    })
  })

  it('throws an error with the status if a proxy answered instead of the server', async () => {
    answer = { status: 502, body: '<h1>Bad gateway</h1>' }
    await assert.rejects(createClient({ baseUrl, retries: 0 }).applications.list(), { httpStatus: 502, id: null })
  })

  it('distinguishes a request without an answer from an upload that was cancelled', async () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:1', retries: 0 })
    await assert.rejects(client.applications.list(), { name: 'RequestError', httpStatus: 0 })
    const signal = AbortSignal.abort()
    const file = new Blob(['x'])
    await assert.rejects(client.builds.upload({ alias: 'a', file, signal }), { name: 'AbortError' })
  })

  it('fails when an answer does not say where an upload is or how far it got', async () => {
    const { uploads } = createClient({ baseUrl, token: 'fl_secret' })
    answer = { status: 201, body: '' }
    await assert.rejects(uploads.create(9, {}), { message: 'The answer to a new upload has no Location' })
    answer = { status: 201, body: '', headers: { Location: '/v2/uploads/a7' } }
    assert.equal(await uploads.create(9, {}), 'a7')
    answer = { status: 200, body: '' }
    await assert.rejects(uploads.getOffset('a7'), { message: 'The answer about an upload has no Upload-Offset' })
    answer = { status: 200, body: '', headers: { 'Upload-Offset': '4' } }
    assert.equal(await uploads.getOffset('a7'), 4)
  })

  it('follows a download to another host without the token, the session or any other secret', async () => {
    const store = createServer((request, response) => {
      seen.push({ method: request.method, url: request.url, headers: request.headers, body: Buffer.alloc(0) })
      // The object store sends the request back, which must not bring the token back either.
      if (request.url === '/back') response.writeHead(302, { Location: `${baseUrl}/again` }).end()
      else response.end('bytes')
    })
    store.listen(0, '127.0.0.1')
    await once(store, 'listening')
    const place = store.address()
    assert.ok(typeof place === 'object' && place !== null)
    const { port } = place
    try {
      const client = createClient({ baseUrl, token: 'fl_secret', headers: () => ({ Cookie: 'session=1' }) })
      const downloads: (() => Promise<unknown>)[] = [
        () => client.builds.openBinary(7, { start: 2 }),
        () => client.builds.getBinary(7),
        () => client.tests.openAttachment(7),
        () => client.security.exportAuditEvents(),
      ]
      const ways = downloads.flatMap((download) => ['/there', '/back'].map((path) => ({ download, path })))
      for (const { download, path } of ways) {
        seen = []
        answer = { status: 302, body: '', headers: { Location: `http://localhost:${port}${path}` } }
        await (path === '/there' ? download() : assert.rejects(download(), RequestError))
        const [first] = seen
        const others = seen.filter(({ url }) => url !== first?.url)
        assert.equal(first?.headers['x-service-token'], 'fl_secret')
        assert.ok(others.length > 0)
        for (const { headers } of others) {
          assert.equal(headers['x-service-token'], undefined)
          assert.equal(headers.cookie, undefined)
        }
      }
    } finally {
      store.closeAllConnections()
      store.close()
    }
  })

  it('opens an attachment whose bytes are no text', async () => {
    const bytes = Buffer.from([0x89, 0x50, 0xff, 0x00, 0xfe])
    answer = { status: 200, body: bytes }
    const { body } = await createClient({ baseUrl }).tests.openAttachment(7)
    assert.deepEqual(Buffer.concat(await Array.fromAsync(body ?? [])), bytes)
  })

  it('reads a list by pages', async () => {
    const link = '<http://elsewhere/v1/applications/1/builds?limit=2&cursor=40>; rel="next"'
    answer = { status: 200, body: [{ id: 42 }, { id: 40 }], headers: { Link: link, 'X-Total-Count': '7' } }
    const page = await createClient({ baseUrl }).builds.listPage(1, { limit: 2, q: '', branch: 'a b' })
    assert.equal(seen[0]?.url, '/v1/applications/1/builds?limit=2&branch=a+b')
    assert.deepEqual([page.items.length, page.total, page.nextCursor], [2, 7, '40'])
    answer = { status: 200, body: [] }
    assert.equal((await createClient({ baseUrl }).builds.listPage(1, { limit: 2, cursor: '40' })).nextCursor, null)
  })

  it('asks for the session headers again before each request', async () => {
    let csrfToken = 'first'
    const client = createClient({ baseUrl, headers: () => ({ 'X-CSRF-Token': csrfToken }) })
    await client.apiTokens.revoke(3)
    csrfToken = 'second'
    await client.apiTokens.revoke(4)
    assert.deepEqual(
      seen.map(({ method, url, headers }) => [method, url, headers['x-csrf-token']]),
      [
        ['DELETE', '/v1/apiTokens/3', 'first'],
        ['DELETE', '/v1/apiTokens/4', 'second'],
      ],
    )
  })
})
