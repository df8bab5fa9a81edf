import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startServer } from '../testing/start-server.ts'
import { uploadApk } from '../testing/upload.ts'

const hash = (digit: string) => digit.repeat(40)
const file = (path: string, hunks?: [number, number][]) => ({ path, status: 'M', ...(hunks && { hunks }) })
const commit = (digit: string, files: object[] = []) => ({
  id: hash(digit),
  date: '2026-11-20T10:00:00+02:00',
  files,
})

describe('the commits of a build', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  await server.call('POST', '/v1/applications', { json: { name: 'Shop', alias: 'shop', platform: 'android' } })
  const { id } = await uploadApk(server, { alias: 'shop' })
  const path = `/v1/builds/${id}/commits`
  const put = (json: unknown) => server.call('PUT', path, { json })

  it('are kept as they were sent, newest first', async () => {
    const json = {
      base: hash('0'),
      head: hash('A'),
      commits: [
        {
          ...commit('A', [file('src/One.kt', [[3, 2]])]),
          subject: 'Load twice',
          author: { name: 'Mara', email: 'mara@example.com' },
        },
        commit('b', [{ path: 'src/Two.kt', status: 'R', previousPath: 'src/Old.kt' }]),
      ],
    }
    const { status, json: saved } = await put(json)
    assert.equal(status, 200)
    const { receivedDate, ...rest } = saved
    assert.ok(Date.now() - Date.parse(receivedDate) < 60_000)
    assert.deepEqual(rest, {
      buildId: id,
      base: hash('0'),
      head: hash('a'),
      count: 2,
      fileCount: 2,
      isComplete: true,
      isTruncated: false,
    })
    const listed = await server.call('GET', path)
    assert.deepEqual(listed.json, [
      {
        id: hash('a'),
        date: '2026-11-20T08:00:00.000Z',
        subject: 'Load twice',
        author: { name: 'Mara', email: 'mara@example.com' },
        files: [{ path: 'src/One.kt', status: 'M', previousPath: null, hunks: [[3, 2]] }],
      },
      {
        id: hash('b'),
        date: '2026-11-20T08:00:00.000Z',
        subject: null,
        author: null,
        files: [{ path: 'src/Two.kt', status: 'R', previousPath: 'src/Old.kt', hunks: null }],
      },
    ])
  })

  it('are replaced by those of the next request, which may be compressed', async () => {
    const text = JSON.stringify({ base: null, head: hash('c'), isComplete: false, commits: [commit('c')] })
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }
    const answer = await server.call('PUT', path, { headers, body: gzipSync(text) })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual([answer.json.base, answer.json.isComplete, answer.json.count], [null, false, 1])
    const listed = await server.call('GET', path)
    assert.deepEqual(
      listed.json.map((one: { id: string }) => one.id),
      [hash('c')],
    )
  })

  it('are listed in pages', async () => {
    await put({ base: null, head: hash('1'), commits: ['1', '2', '3'].map((digit) => commit(digit)) })
    const first = await server.call('GET', `${path}?limit=2`)
    assert.equal(first.headers.get('x-total-count'), '3')
    const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1]
    assert.ok(next)
    const second = await server.call('GET', new URL(next).pathname + new URL(next).search)
    assert.deepEqual(
      [...first.json, ...second.json].map((one: { id: string }) => one.id),
      ['1', '2', '3'].map(hash),
    )
    assert.equal(second.headers.get('link'), null)
  })

  it('leave out files and hunks over their limits, and say so', async () => {
    const hunks = Array.from({ length: 101 }, (_, place): [number, number] => [place + 1, 1])
    const files = Array.from({ length: 301 }, (_, place) =>
      file(`src/File${place}.kt`, place === 0 ? hunks : undefined),
    )
    const { json } = await put({ base: null, head: hash('a'), commits: [commit('a', files)] })
    assert.deepEqual([json.count, json.fileCount, json.isTruncated], [1, 300, true])
    const listed = await server.call('GET', path)
    assert.equal(listed.json[0].files[0].hunks.length, 100)
  })

  it('keep what was there when a request is refused', async () => {
    await put({ base: null, head: hash('d'), commits: [commit('d')] })
    const refused: [unknown, number, string | undefined][] = [
      [{ base: null, head: hash('a'), commits: Array.from({ length: 1001 }, () => commit('a')) }, 422, '/commits'],
      [{ base: null, head: 'main', commits: [] }, 400, '/head'],
      [{ base: null, head: hash('a') }, 400, '/commits'],
      [{ base: null, head: hash('a'), commits: [commit('a', [file('')])] }, 400, '/commits/0/files/0/path'],
      [{ base: null, head: hash('a'), commits: [commit('a', [file('a\u0000b')])] }, 400, '/commits/0/files/0/path'],
      [
        { base: null, head: hash('a'), commits: [commit('a', [file('x'.repeat(1001))])] },
        400,
        '/commits/0/files/0/path',
      ],
      [{ base: null, head: hash('a'), commits: [{ ...commit('a'), date: 'today' }] }, 400, '/commits/0/date'],
      [
        { base: null, head: hash('a'), commits: [{ ...commit('a'), author: { name: 'a\u0000' } }] },
        400,
        '/commits/0/author/name',
      ],
      [[], 400, undefined],
      ['text', 400, undefined],
    ]
    for (const [json, status, source] of refused) {
      const answer = await put(json)
      assert.equal(answer.status, status, answer.text)
      if (source !== undefined) assert.equal(answer.json.errors[0].source, source)
    }
    const send = (body: Buffer | string, headers: Record<string, string> = {}) =>
      server.call('PUT', path, { body, headers: { 'Content-Type': 'application/json', ...headers } })
    assert.equal((await send('{"base"')).status, 400)
    assert.equal((await send(Buffer.from([0xff, 0xfe]))).status, 400)
    assert.equal((await send('{}', { 'Content-Encoding': 'gzip' })).status, 400)
    assert.equal((await send('{}', { 'Content-Encoding': 'br' })).status, 415)
    assert.equal((await send('x', { 'Content-Type': 'text/plain' })).status, 415)
    assert.equal((await send(' '.repeat(4 * 2 ** 20 + 1))).status, 413)
    const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20, 0x20))
    assert.equal((await send(bomb, { 'Content-Encoding': 'gzip' })).status, 413)
    assert.equal((await send(`${'['.repeat(2 ** 20)}${']'.repeat(2 ** 20)}`)).status, 400)
    const listed = await server.call('GET', path)
    assert.deepEqual(
      listed.json.map((one: { id: string }) => one.id),
      [hash('d')],
    )
  })

  it('take the largest list', async () => {
    const files = Array.from({ length: 20 }, (_, place) => file(`app/src/main/File${place}.kt`, [[place, 4]]))
    const commits = Array.from({ length: 1000 }, () => commit('e', files))
    const { status, json } = await put({ base: null, head: hash('e'), commits })
    assert.equal(status, 200)
    assert.deepEqual([json.count, json.fileCount, json.isTruncated], [1000, 20_000, false])
  })

  it('are replaced whole by one of two requests at the same time', async () => {
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((digit) => put({ base: null, head: hash(digit), commits: [commit(digit)] })),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    const listed = await server.call('GET', path)
    assert.equal(listed.json.length, 1)
  })

  it('are an event of the audit log', async () => {
    await put({ base: null, head: hash('f'), commits: [] })
    const { json } = await server.call('GET', '/v1/auditEvents?action=build.commits&limit=1')
    assert.equal(json[0].target, path)
  })

  it('need the role of a developer to be replaced, and an existing build', async () => {
    const { json: viewer } = await server.call('POST', '/v1/apiTokens', { json: { name: 'reader', role: 'viewer' } })
    const call = (method: string, target: string, json?: unknown) =>
      server.call(method, target, { token: viewer.token, ...(json !== undefined && { json }) })
    assert.equal((await call('PUT', path, {})).status, 403)
    assert.equal((await call('GET', path)).status, 200)
    assert.equal((await server.call('PUT', '/v1/builds/999999/commits', { json: {} })).status, 404)
    assert.equal((await server.call('GET', '/v1/builds/999999/commits')).status, 404)
  })

  it('are deleted with the build', async () => {
    const other = await uploadApk(server, { alias: 'shop' })
    await server.call('PUT', `/v1/builds/${other.id}/commits`, {
      json: { base: null, head: hash('a'), commits: [commit('a', [file('One.kt')])] },
    })
    assert.equal((await server.call('DELETE', `/v1/builds/${other.id}`)).status, 204)
    assert.equal((await server.call('GET', `/v1/builds/${other.id}/commits`)).status, 404)
  })
})
