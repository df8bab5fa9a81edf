/** Commits that an unchanged sentry-cli sends, as the suspects of crashes. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { createCrashApplication, deliver, waitUntilRead } from '../testing/crashes.ts'
import { startServer } from '../testing/start-server.ts'
import { uploadApk } from '../testing/upload.ts'

const program = join(createRequire(import.meta.url).resolve('@sentry/cli/package.json'), '../bin/sentry-cli')
const run = promisify(execFile)
const gate = 'app/src/main/java/org/ledger/Gate.kt'
const hash = (digit: string) => digit.repeat(40)

describe('the commits of sentry-cli', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const app = await createCrashApplication(server, 'ledger')
  const folder = await mkdtemp(join(tmpdir(), 'fairlead-release-commits-'))
  after(() => rm(folder, { recursive: true }))
  const git = async (...words: string[]) => {
    const person = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']
    return (await run('git', [...person, ...words], { cwd: folder })).stdout.trim()
  }
  const change = async (path: string, text: string) => {
    await mkdir(join(folder, dirname(path)), { recursive: true })
    await writeFile(join(folder, path), text)
    await git('add', '--all')
    await git('commit', '--quiet', '--message', `Secret words about ${path}`)
    return git('rev-parse', 'HEAD')
  }
  const sentryCli = async (...words: string[]) => {
    const place = ['--url', server.url, '--auth-token', server.token]
    const env = { ...process.env, SENTRY_LOAD_DOTENV: '0', SENTRY_ORG: 'any', SENTRY_PROJECT: 'ledger' }
    await run(process.execPath, [program, ...place, ...words], { cwd: folder, env, timeout: 60_000 })
  }
  const upload = async (version: number): Promise<number> => {
    const apk = { packageName: 'org.ledger', versionName: `2.${version}`, versionCode: version }
    return (await uploadApk(server, { alias: 'ledger', apk })).id
  }
  const listCommits = async (buildId: number) => {
    const { status, json, text } = await server.call('GET', `/v1/builds/${buildId}/commits`)
    assert.equal(status, 200, text)
    const commits: { id: string; subject: null; author: null; files: { path: string; status: string }[] }[] = json
    return commits
  }
  const listIds = async (buildId: number) => (await listCommits(buildId)).map(({ id }) => id)
  const send = (version: string, commits: unknown) => {
    const headers = { Authorization: `Bearer ${server.token}` }
    const body = JSON.stringify({ projects: ['ledger'], commits })
    const path = `/api/0/organizations/any/releases/${encodeURIComponent(version)}/`
    return server.call('PUT', path, { token: null, headers, body })
  }
  const sendCrash = async (version: number, file: string, line: number) => {
    const frames = [
      { module: `org.ledger.${file}`, function: 'open', filename: `${file}.kt`, lineno: line, in_app: true },
    ]
    const exception = { values: [{ type: `${file}Error`, value: 'no gate', stacktrace: { frames } }] }
    const release = `org.ledger@2.${version}+${version}`
    await deliver(server, app, 'sentry-store', JSON.stringify({ platform: 'java', level: 'fatal', release, exception }))
    await waitUntilRead(server, app.id)
  }

  await git('init', '--quiet')
  await git('remote', 'add', 'origin', 'https://git.example.com/team/ledger.git')
  const first = await change('README.md', 'Ledger')
  const before = await upload(1)
  await sentryCli('releases', 'new', 'org.ledger@2.1+1')
  await sentryCli('releases', 'set-commits', 'org.ledger@2.1+1', '--local')
  await sendCrash(1, 'Other', 3)
  const guilty = await change(gate, 'class Gate')
  const other = await change('docs/index.md', 'Words')
  let build = 0

  it('come to a build that is there already', async () => {
    assert.deepEqual(await listIds(before), [first])
    const [commit] = await listCommits(before)
    assert.deepEqual(commit?.files, [{ path: 'README.md', status: 'A', previousPath: null, hunks: null }])
  })

  it('come to a build that is uploaded after its release', async () => {
    await sentryCli('releases', 'new', 'org.ledger@2.2+2')
    await sentryCli('releases', 'set-commits', 'org.ledger@2.2+2', '--local')
    await sentryCli('releases', 'finalize', 'org.ledger@2.2+2')
    build = await upload(2)
    assert.deepEqual(await listIds(build), [other, guilty, first])
    assert.deepEqual(await listIds(await upload(3)), [])
  })

  it('are suspects of a crash, without those of older builds and without people and messages', async () => {
    await sendCrash(2, 'Gate', 1)
    const groups = await server.call('GET', `/v1/applications/${app.id}/crashGroups?q=GateError`)
    const { json } = await server.call('GET', `/v1/crashGroups/${groups.json[0].id}/explanation`)
    assert.deepEqual(
      json.suspects.map(({ commit, untrusted }: { commit: string; untrusted: object }) => [commit, untrusted]),
      [[guilty, { paths: [gate], subject: null, author: null }]],
    )
    assert.deepEqual([json.suspects[0].reasons[0].code, json.suspects[0].buildId], ['file', build])
    assert.equal(json.location.untrusted.path, gate)
    assert.deepEqual(json.introduced.commits, { state: 'partial', base: null, head: other, count: 3 })
    assert.doesNotMatch(JSON.stringify([json, await listCommits(build)]), /Ada|ada@|Secret words/)
  })

  it('give way to a list that CI has sent for the build itself', async () => {
    const files = [{ path: gate, status: 'M' }]
    const own = { base: first, head: guilty, commits: [{ id: guilty, date: '2026-11-20T10:00:00Z', files }] }
    assert.equal((await server.call('PUT', `/v1/builds/${build}/commits`, { json: own })).status, 200)
    await sentryCli('releases', 'set-commits', 'org.ledger@2.2+2', '--local')
    assert.deepEqual(await listIds(build), [guilty])
  })

  it('are replaced by a second list and cleared by an empty one', async () => {
    const commit = (digit: string, path: string) => ({ id: hash(digit), patch_set: [{ path, type: 'M' }] })
    const replaced = await send('org.ledger@2.1+1', [commit('A', 'a.kt'), commit('b', 'b.kt')])
    assert.equal(replaced.status, 200, replaced.text)
    assert.deepEqual(await listIds(before), [hash('a'), hash('b')])
    assert.equal((await send('org.ledger@2.1+1', [])).status, 200)
    assert.deepEqual(await listIds(before), [])
    assert.equal((await send('org.ledger@2.1+1', [commit('c', 'c.kt')])).status, 200)
    const { status } = await send('org.ledger@2.1+1', undefined)
    assert.deepEqual([status, await listIds(before)], [200, [hash('c')]])
    // A release without a number of a build belongs to none.
    assert.equal((await send('org.ledger@2.1', [commit('d', 'd.kt')])).status, 200)
    assert.deepEqual(await listIds(before), [hash('c')])
  })

  it('are kept within the limits of those of a build, without failing the job', async () => {
    const files = (count: number) => Array.from({ length: count }, (_, at) => ({ path: `f/${at}`, type: 'M' }))
    const commits = [
      { id: hash('1'), patch_set: files(400) },
      { id: hash('2'), patch_set: [...files(1), { path: 'x'.repeat(2000), type: 'M' }, { path: 'y', type: 'Z' }] },
      { id: 'a-tag', patch_set: files(1) },
      { id: hash('3'), patch_set: null },
      ...Array.from({ length: 1200 }, () => ({ id: hash('4'), patch_set: files(20) })),
    ]
    const sent = await send('org.ledger@2.1+1', commits)
    assert.equal(sent.status, 200, sent.text)
    const kept = await listCommits(before)
    assert.equal(kept.length, 1000)
    assert.deepEqual(
      kept.slice(0, 4).map(({ files: of }) => of.length),
      [300, 1, 0, 20],
    )
    assert.equal(kept.reduce((sum, { files: of }) => sum + of.length, 0) <= 20_000, true)
    const { json: comparison } = await server.call('GET', `/v1/builds/${before}/comparison`)
    assert.equal(comparison.commits.state, 'partial')
  })

  it('are refused when they are malformed, and what was there stays', async () => {
    const ids = await listIds(before)
    for (const wrong of [
      'x',
      [7],
      [{ id: hash('1'), patch_set: 'x' }],
      [{ id: hash('1'), patch_set: [{ path: 7, type: 'M' }] }],
      [{ id: hash('1'), timestamp: 'yesterday' }],
      [{ id: 'no id!' }],
    ]) {
      const refused = await send('org.ledger@2.1+1', wrong)
      assert.equal(refused.status, 400, JSON.stringify(wrong))
      assert.ok(refused.json.errors.length > 0, refused.text)
    }
    assert.deepEqual(await listIds(before), ids)
  })

  it('are kept of the twenty newest releases alone', async () => {
    for (let version = 100; version <= 120; version++) {
      assert.equal((await send(`org.ledger@2.${version}+${version}`, [{ id: hash('5') }])).status, 200)
    }
    assert.deepEqual(await listIds(await upload(100)), [])
    assert.deepEqual(await listIds(await upload(101)), [hash('5')])
  })

  it('meet an upload at the same time', async () => {
    for (let version = 200; version < 206; version++) {
      const [buildId, sent] = await Promise.all([
        upload(version),
        send(`org.ledger@2.${version}+${version}`, [{ id: hash('6') }]),
      ])
      assert.equal(sent.status, 200, sent.text)
      assert.deepEqual(await listIds(buildId), [hash('6')])
    }
  })
})
