import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { writeApk } from '@fairlead/binary/fixture'
import { createCheckout, type Checkout } from './git-checkout.ts'
import { type Desk, openDesk } from './fairlead.ts'
import { readJson } from '../../scripts/read-json.ts'
import { token } from '../processes/server-process.ts'

const lines = (count: number, change: Record<number, string> = {}) =>
  Array.from({ length: count }, (_, place) => `${change[place + 1] ?? `line ${place + 1}`}\n`).join('')

describe('the commits of a build', { timeout: 300_000 }, () => {
  let desk: Desk
  let checkout: Checkout
  let version = 0
  before(async () => {
    desk = await openDesk()
    checkout = createCheckout(join(desk.folder, 'repository'))
    await desk.json('apps', 'create', 'shop', '--platform', 'android', '--identifier', 'com.example.shop')
  })
  after(() => desk[Symbol.asyncDispose]())

  const upload = async (args: string[] = [], { cwd = checkout.folder, isOnCi = true, branch = 'main' } = {}) => {
    version++
    const file = join(desk.folder, `app-${version}.apk`)
    await writeFile(file, writeApk({ packageName: 'com.example.shop', versionName: '1.0', versionCode: version }))
    const given = ['builds', 'upload', file, '--app', 'shop', '--branch', branch, '--json', ...args]
    const { code, stdout, stderr } = await desk.fairlead(given, { cwd, env: isOnCi ? { CI: 'true' } : {} })
    assert.equal(code, 0, stderr)
    const build = readJson<{ id: number; commits: { base: string | null; isComplete: boolean } | null }>(stdout)
    return { ...build, stderr }
  }

  const list = async (buildId: number) => {
    const response = await fetch(`${desk.server.url}/v1/builds/${buildId}/commits`, {
      headers: { 'X-Service-Token': token },
    })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the test asserts what it has
    return (await response.json()) as { id: string; subject: string | null; author: unknown; files: unknown[] }[]
  }

  it('are sent by the upload on CI: the last ones at first, then those since the build before', async () => {
    const first = checkout.commit('Begin', { 'app/One.kt': lines(60), 'app/Old.kt': lines(40), 'gone.txt': 'x\n' })
    const uploaded = await upload()
    assert.deepEqual([uploaded.commits?.base, uploaded.commits?.isComplete], [null, false])
    assert.deepEqual(
      (await list(uploaded.id)).map(({ id }) => id),
      [first],
    )
    const second = checkout.commit('Change two places', { 'app/One.kt': lines(60, { 10: 'ten', 30: 'a\nb' }) })
    const third = checkout.commit('Move a file', {
      'app/Old.kt': null,
      'lib/Größe one.kt': lines(40, { 3: 'three' }),
      'gone.txt': null,
    })
    const next = await upload()
    assert.deepEqual([next.commits?.base, next.commits?.isComplete], [first, true])
    assert.deepEqual(await list(next.id), [
      {
        id: third,
        date: '2026-11-20T10:03:00.000Z',
        subject: null,
        author: null,
        files: [
          { path: 'gone.txt', status: 'D', previousPath: null, hunks: [[0, 0]] },
          { path: 'lib/Größe one.kt', status: 'R', previousPath: 'app/Old.kt', hunks: [[3, 1]] },
        ],
      },
      {
        id: second,
        date: '2026-11-20T10:02:00.000Z',
        subject: null,
        author: null,
        files: [
          {
            path: 'app/One.kt',
            status: 'M',
            previousPath: null,
            hunks: [
              [10, 1],
              [30, 2],
            ],
          },
        ],
      },
    ])
  })

  it('carry subjects and authors only if they are asked for', async () => {
    checkout.commit('Say why', { 'app/One.kt': lines(60) })
    const { id } = await upload(['--commit-subjects', '--commit-authors'])
    const [commit] = await list(id)
    assert.deepEqual(
      [commit?.subject, commit?.author],
      ['Say why', { name: 'Mara Lindqvist', email: 'mara@example.com' }],
    )
  })

  it('are those of one folder if it is named', async () => {
    checkout.commit('Elsewhere', { 'web/index.ts': 'x\n' })
    const inside = checkout.commit('Both', { 'app/One.kt': lines(61), 'web/index.ts': 'y\n' })
    const { id } = await upload(['--commits-path', 'app'])
    const listed = await list(id)
    assert.deepEqual(
      listed.map((commit) => [commit.id, commit.files.length]),
      [[inside, 1]],
    )
  })

  it('of a branch begin where it left the default branch', async () => {
    const left = checkout.git('rev-parse', 'HEAD')
    checkout.git('switch', '--quiet', '--create', 'feature')
    const own = checkout.commit('On the branch', { 'app/Two.kt': lines(5) })
    const { id, commits } = await upload([], { branch: 'feature' })
    checkout.git('switch', '--quiet', 'main')
    assert.equal(commits?.base, left)
    assert.deepEqual(
      (await list(id)).map((commit) => commit.id),
      [own],
    )
  })

  it('are not sent outside of CI, and none with off', async () => {
    assert.equal((await upload([], { isOnCi: false })).commits, null)
    assert.equal((await upload(['--commits', 'off'])).commits, null)
  })

  it('may be sent later, and by a range', async () => {
    checkout.commit('One more', { 'app/Three.kt': lines(3) })
    const head = checkout.commit('And another', { 'app/Three.kt': lines(4) })
    const { id } = await upload(['--commits', 'off'])
    const sent = await desk.fairlead(['builds', 'commits', String(id), 'HEAD~1..HEAD', '--json'], {
      cwd: checkout.folder,
    })
    assert.equal(sent.code, 0, sent.stderr)
    assert.deepEqual(
      (await list(id)).map((commit) => commit.id),
      [head],
    )
    const unknown = await desk.fairlead(['builds', 'commits', String(id), 'nowhere..HEAD'], { cwd: checkout.folder })
    assert.equal(unknown.code, 2)
    assert.match(unknown.stderr, /git knows no commits nowhere\.\.HEAD/)
  })

  it('of a shallow clone are incomplete, and the warning names the remedy', async () => {
    const clone = join(desk.folder, 'shallow')
    checkout.git('clone', '--quiet', '--depth', '1', `file://${checkout.folder}`, clone)
    const { commits, stderr } = await upload([], { cwd: clone })
    assert.equal(commits?.isComplete, false)
    assert.match(stderr, /shallow.*fetch-depth: 0/)
  })

  it('never fail the upload', async () => {
    const outside = await upload([], { cwd: desk.folder })
    assert.equal(outside.commits, null)
    assert.match(outside.stderr, /not in a Git checkout/)
    const unknown = await upload(['--commits', 'nowhere..HEAD'])
    assert.equal(unknown.commits, null)
    assert.match(unknown.stderr, /git knows no commits/)
  })

  it('are read whatever the settings of Git say', async () => {
    const settings: [string, string][] = [
      ['diff.noprefix', 'true'],
      ['diff.external', 'false'],
      ['diff.relative', 'true'],
      ['color.ui', 'always'],
      ['core.quotePath', 'true'],
      ['log.showSignature', 'true'],
    ]
    for (const [name, value] of settings) checkout.git('config', name, value)
    checkout.commit('Quote', { 'app/"ü".kt': lines(9) })
    const { id } = await upload()
    const [commit] = await list(id)
    assert.deepEqual(commit?.files, [{ path: 'app/"ü".kt', status: 'A', previousPath: null, hunks: [[1, 9]] }])
  })
})
