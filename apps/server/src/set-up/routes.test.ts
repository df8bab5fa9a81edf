import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it, mock } from 'node:test'
import { Browser, join as joinAsMember, password } from '../testing/browser.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
import { createTestDatabase } from '../testing/test-database.ts'

describe('Set-up', () => {
  let server: TestServer
  const lines: string[] = []

  before(async () => {
    const log = mock.method(console, 'log', (line: string) => lines.push(line))
    server = await startServer({ FAIRLEAD_INITIAL_API_TOKEN: '' })
    log.mock.restore()
  })
  after(() => server[Symbol.asyncDispose]())

  const request = (code: string) => ({
    code,
    email: 'Ada@Example.com',
    name: 'Ada',
    password,
    workspaceName: 'Engines',
  })
  const readCode = () => new URL(/http\S+/.exec(lines[0] ?? '')?.[0] ?? '').searchParams.get('code') ?? ''

  it('prints one line with the link', () => {
    assert.equal(lines.length, 1)
    assert.match(lines[0] ?? '', /^Set up Fairlead: http:\/\/localhost:\d+\/setup\?code=[\w-]{32}$/)
  })

  it('is not done before somebody used the link', async () => {
    assert.deepEqual((await server.call('GET', '/v1/setup', { token: null })).json, {
      isDone: false,
      hasAccount: false,
    })
  })

  it('refuses a wrong code', async () => {
    const answer = await server.call('POST', '/v1/setup', { token: null, json: request('x'.repeat(32)) })
    assert.equal(answer.status, 404)
  })

  it('reports every invalid field', async () => {
    const answer = await server.call('POST', '/v1/setup', {
      token: null,
      json: { ...request(readCode()), email: 'nobody', password: 'short', name: ' ' },
    })
    assert.equal(answer.status, 400)
    assert.deepEqual(answer.json.errors.map((fault: { source: string }) => fault.source).sort(), [
      '/email',
      '/name',
      '/password',
    ])
  })

  it('creates account, workspace and token once, however many requests arrive concurrently', async () => {
    const browsers = Array.from({ length: 4 }, () => new Browser(server))
    const answers = await Promise.all(
      browsers.map((browser) => browser.call('POST', '/v1/setup', { json: request(readCode()) })),
    )
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [201, 409, 409, 409],
    )
    const winner = answers.findIndex(({ status }) => status === 201)
    const { session, apiToken } = answers[winner]?.json ?? {}
    assert.equal(session.account.email, 'Ada@Example.com')
    assert.deepEqual(
      session.workspaces.map(({ name, role }: { name: string; role: string }) => ({ name, role })),
      [{ name: 'Engines', role: 'admin' }],
    )
    assert.equal((await server.call('GET', '/v1/workspace', { token: apiToken.token })).json.name, 'Engines')
    const members = await browsers[winner]?.call('GET', '/v1/members')
    assert.deepEqual(
      members?.json.map(({ email }: { email: string }) => email),
      ['Ada@Example.com'],
    )
  })

  it('is done for good, and refuses to run a second time', async () => {
    assert.deepEqual((await server.call('GET', '/v1/setup', { token: null })).json, { isDone: true, hasAccount: true })
    assert.equal((await server.call('POST', '/v1/setup', { token: null, json: request(readCode()) })).status, 409)
  })
})

describe('Set-up before the first account', () => {
  it('is done by a token of the operator, who invites the first person', async () => {
    await using server = await startServer()
    const read = async () => (await server.call('GET', '/v1/setup', { token: null })).json
    assert.deepEqual(await read(), { isDone: true, hasAccount: false })
    await joinAsMember(server, { email: 'ada@example.com', role: 'admin' })
    assert.deepEqual(await read(), { isDone: true, hasAccount: true })
  })

  it('prints a new link at every start, and none once there is a workspace', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'fairlead-set-up-'))
    const database = await createTestDatabase()
    const restart = async (environment = {}) => {
      const lines: string[] = []
      const log = mock.method(console, 'log', (line: string) => lines.push(line))
      const server = await startServer({
        FAIRLEAD_DATA_DIR: dataDir,
        ...(database.url !== null && { FAIRLEAD_DATABASE_URL: database.url }),
        FAIRLEAD_INITIAL_API_TOKEN: '',
        ...environment,
      })
      log.mock.restore()
      await server[Symbol.asyncDispose]()
      return lines
    }
    const [first] = await restart()
    const [second] = await restart()
    assert.match(first ?? '', /\/setup\?code=/)
    assert.match(second ?? '', /\/setup\?code=/)
    assert.notEqual(first, second)
    assert.deepEqual(await restart({ FAIRLEAD_INITIAL_API_TOKEN: `fl_${'x'.repeat(40)}` }), [])
    assert.deepEqual(await restart(), [])
    await database[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true })
  })
})
