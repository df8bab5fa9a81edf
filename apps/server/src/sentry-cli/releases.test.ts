/** sentry-cli's commands about releases, as CI jobs call them, with the real program in a real repository. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { DeclaredRelease } from '@fairlead/contract'
import { createCrashApplication, deliver, waitUntilRead } from '../testing/crashes.ts'
import { createSecondWorkspace } from '../testing/second-workspace.ts'
import { startServer } from '../testing/start-server.ts'

const program = join(createRequire(import.meta.url).resolve('@sentry/cli/package.json'), '../bin/sentry-cli')
const run = promisify(execFile)

describe('the releases of sentry-cli', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const app = await createCrashApplication(server, 'ledger')
  const other = await createCrashApplication(server, 'other')
  const folder = await mkdtemp(join(tmpdir(), 'fairlead-releases-'))
  after(() => rm(folder, { recursive: true }))
  const git = async (...words: string[]) => {
    const person = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']
    return (await run('git', [...person, ...words], { cwd: folder })).stdout.trim()
  }
  await git('init', '--quiet')
  await git('commit', '--quiet', '--allow-empty', '--message', 'Begin')
  await git('remote', 'add', 'origin', 'https://git.example.com/team/ledger.git')
  const commit = await git('rev-parse', 'HEAD')

  const call = async (...words: string[]) => {
    const place = ['--url', server.url, '--auth-token', server.token]
    const env = { ...process.env, SENTRY_LOAD_DOTENV: '0', SENTRY_ORG: 'any', SENTRY_PROJECT: 'ledger' }
    const { stdout } = await run(process.execPath, [program, ...place, ...words], { cwd: folder, env, timeout: 60_000 })
    return stdout
  }
  const list = async (id = app.id, query = '') => {
    const answer = await server.call('GET', `/v1/applications/${id}/releases${query}`)
    assert.equal(answer.status, 200, answer.text)
    return DeclaredRelease.array().parse(answer.json)
  }
  const ask = (method: string, path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${server.token}` }
    return server.call(method, `/api/0${path}`, { token: null, headers, ...(body && { body: JSON.stringify(body) }) })
  }

  it('are made, given commits and finalized by the commands of a CI job, and each ends with 0', async () => {
    await call('releases', 'new', 'org.ledger@2.0+20', '--url', 'https://ci.example.com/20')
    const [made] = await list()
    assert.deepEqual(
      [
        made?.version,
        made?.package,
        made?.shortVersion,
        made?.buildVersion,
        made?.url,
        made?.commit,
        made?.releasedDate,
      ],
      ['org.ledger@2.0+20', 'org.ledger', '2.0', '20', 'https://ci.example.com/20', null, null],
    )
    await call('releases', 'set-commits', 'org.ledger@2.0+20', '--auto')
    await call('releases', 'set-commits', 'org.ledger@2.0+20', '--local')
    await call('releases', 'finalize', 'org.ledger@2.0+20')
    await call('deploys', 'new', '--release', 'org.ledger@2.0+20', '--env', 'production', '--name', 'first')
    const [done] = await list()
    assert.equal(done?.commit, commit)
    assert.ok(done?.releasedDate)
    assert.deepEqual(
      done?.deploys.map(({ environment, name }) => [environment, name]),
      [['production', 'first']],
    )
    assert.match(await call('deploys', 'list', '--release', 'org.ledger@2.0+20'), /production/)
  })

  it('are listed and described with their crash groups', async () => {
    const event = {
      platform: 'java',
      level: 'fatal',
      release: 'org.ledger@2.0+20',
      exception: { values: [{ type: 'A' }] },
    }
    await deliver(server, app, 'sentry-store', JSON.stringify(event))
    await waitUntilRead(server, app.id)
    await call('releases', 'new', 'org.ledger@2.1+21', '--finalize')
    const listed = await call('releases', 'list')
    assert.match(listed, /org\.ledger@2\.0\+20\s*\|\s*1 /)
    assert.match(listed, /org\.ledger@2\.1\+21\s*\|\s*0 /)
    assert.match(await call('releases', 'info', 'org.ledger@2.0+20', '--show-projects', '--show-commits'), /ledger/)
    assert.match(await call('info'), /Auth Token/)
    const [page] = await list(app.id, '?limit=1')
    assert.equal(page?.version, 'org.ledger@2.1+21')
  })

  it('are archived, restored and deleted', async () => {
    await call('releases', 'archive', 'org.ledger@2.1+21')
    assert.equal((await list()).find(({ shortVersion }) => shortVersion === '2.1')?.isArchived, true)
    await call('releases', 'restore', 'org.ledger@2.1+21')
    assert.equal((await list()).find(({ shortVersion }) => shortVersion === '2.1')?.isArchived, false)
    await call('releases', 'delete', 'org.ledger@2.1+21')
    assert.deepEqual(
      (await list()).map(({ shortVersion }) => shortVersion),
      ['2.0'],
    )
  })

  it('keep no names of people, belong to their application, and need its alias', async () => {
    const commits = [{ id: commit, author_name: 'Ada', author_email: 'ada@example.org', message: 'Begin' }]
    const answer = await ask('PUT', `/organizations/any/releases/${encodeURIComponent('org.ledger@2.0+20')}/`, {
      commits,
    })
    assert.equal(answer.status, 200, answer.text)
    assert.doesNotMatch(JSON.stringify([answer.json, await list()]), /Ada|ada@/)
    assert.deepEqual(await list(other.id), [])
    const unknown = await ask('POST', '/organizations/any/releases/', { version: '1', projects: ['nobody'] })
    assert.equal(unknown.status, 404, unknown.text)
    assert.equal((await ask('GET', '/organizations/any/releases/none/')).status, 404)
    assert.equal((await ask('GET', '/projects/any/ledger/releases/none/')).status, 404)
  })

  it('refuse what is too long, malformed or too much, and keep the newest', async () => {
    const refused = [
      { version: 'x'.repeat(300), projects: ['ledger'] },
      { version: 'a\nb', projects: ['ledger'] },
      { version: '1', projects: Array(200).fill('ledger') },
      { version: '1', projects: ['ledger'], url: 'javascript:alert(1)' },
      { version: '1', projects: ['ledger'], dateReleased: 'tomorrow' },
      { projects: ['ledger'] },
    ]
    for (const body of refused) {
      const answer = await ask('POST', '/organizations/any/releases/', body)
      assert.equal(answer.status, 400, JSON.stringify(body))
    }
    for (let count = 0; count < 105; count++) {
      const answer = await ask('POST', '/organizations/any/releases/org.ledger@2.0+20/deploys/', {
        environment: `e${count}`,
      })
      assert.equal(answer.status, 201, answer.text)
    }
    const [release] = await list()
    assert.deepEqual([release?.deploys.length, release?.deploys[0]?.environment], [100, 'e104'])
  })

  it('of one workspace are not seen or changed by another', async () => {
    const headers = { Authorization: `Bearer ${await createSecondWorkspace(server)}` }
    const path = `/api/0/organizations/any/releases/${encodeURIComponent('org.ledger@2.0+20')}/`
    for (const method of ['GET', 'DELETE']) {
      assert.equal((await server.call(method, path, { token: null, headers })).status, 404)
    }
    const listed = await server.call('GET', '/api/0/organizations/any/releases/', { token: null, headers })
    assert.deepEqual(listed.json, [])
    assert.equal((await list()).length, 1)
  })

  it('cannot be written by a token that only reads', async () => {
    const { json } = await server.call('POST', '/v1/apiTokens', { json: { name: 'reader', role: 'viewer' } })
    const headers = { Authorization: `Bearer ${json.token}` }
    const body = JSON.stringify({ version: '9', projects: ['ledger'] })
    const written = await server.call('POST', '/api/0/organizations/any/releases/', { token: null, headers, body })
    assert.equal(written.status, 403)
    const read = await server.call('GET', '/api/0/projects/any/ledger/releases/', { token: null, headers })
    assert.equal(read.status, 200)
  })
})
