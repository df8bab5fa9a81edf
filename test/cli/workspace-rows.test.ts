import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { writeApk } from '@fairlead/binary/fixture'
import { token } from '../processes/server-process.ts'
import { type Desk, openDesk } from './fairlead.ts'

describe('the command line and the workspace', { timeout: 300_000 }, () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk()
    await desk.json('apps', 'create', 'shop', '--platform', 'android')
    await desk.json('groups', 'create', 'QA')
    for (const [version, branch] of [
      ['1', 'main'],
      ['2', 'main'],
      ['3', 'next'],
    ] as const) {
      const apk = writeApk({ packageName: 'com.example.shop', versionCode: Number(version) })
      await writeFile(join(desk.folder, `${version}.apk`), apk)
      await desk.json('builds', 'upload', `${version}.apk`, '--app', 'shop', '--branch', branch)
    }
  })
  after(() => desk[Symbol.asyncDispose]())
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await desk.fairlead(words)
    return { code, stdout, stderr }
  }

  it('shows the overview of an application', async () => {
    const overview = await desk.json('apps', 'overview', '--app', 'shop')
    assert.deepEqual([overview.newestBuild.version, overview.newestBuild.verdict], ['3', null])
    const { code, stdout } = await run('apps', 'overview', '--app', 'shop')
    assert.equal(code, 0)
    assert.match(stdout, /^Newest build +.*\(3\), /m)
    assert.match(stdout, /^New crash groups +0$/m)
  })

  it('renames and deletes applications', async () => {
    await desk.json('apps', 'create', 'old', '--platform', 'ios')
    const renamed = await desk.json('apps', 'rename', 'old', 'New name', '--alias', 'new', '--branch', 'trunk')
    assert.deepEqual([renamed.alias, renamed.name, renamed.defaultBranch], ['new', 'New name', 'trunk'])
    assert.equal((await run('apps', 'rename', 'new')).code, 2)
    assert.equal((await run('apps', 'delete', 'new')).code, 2)
    assert.equal((await run('apps', 'delete', 'new', '--yes')).stdout, 'Deleted the application new\n')
    assert.equal((await run('apps', 'delete', 'new', '--yes')).code, 5)
  })

  it('makes, lists and revokes tokens; a new one is alone on standard output', async () => {
    const { stdout, stderr } = await run('tokens', 'create', 'CI', '--role', 'viewer', '--expires', '2090-01-31')
    assert.match(stdout, /^fl_[\w-]{32,}\n$/)
    assert.match(stderr, /Made the token \d+, CI, with the role viewer/)
    const listed = (await desk.json('tokens')).find((one: { name: string }) => one.name === 'CI')
    assert.deepEqual([listed.role, listed.expirationDate], ['viewer', '2090-01-31T00:00:00.000Z'])
    const env = { FAIRLEAD_TOKEN: stdout.trim() }
    assert.equal((await desk.fairlead(['apps'], { env })).code, 0)
    assert.equal((await desk.fairlead(['apps', 'create', 'x', '--platform', 'ios'], { env })).code, 4)
    assert.equal((await run('tokens', 'revoke', String(listed.id))).code, 0)
    assert.equal((await desk.fairlead(['apps'], { env })).code, 3)
  })

  it('invites people, lists members and refuses an unknown one', async () => {
    const { stdout } = await run('invitations', 'create', 'ada@example.com', '--role', 'admin')
    assert.match(stdout, /^http.*\/invitation/)
    const [invitation] = await desk.json('invitations')
    assert.deepEqual([invitation.email, invitation.role], ['ada@example.com', 'admin'])
    assert.deepEqual(await desk.json('members'), [])
    const accepted = new URL(stdout.trim()).searchParams.get('token')
    const answer = await fetch(`${desk.server.url}/v1/invitations/accept`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token: accepted, name: 'Ada', password: 'correct horse battery' }),
    })
    assert.equal(answer.status, 201, await answer.text())
    await run('invitations', 'create', 'bob@example.com')
    const [other] = await desk.json('invitations', 'list')
    assert.equal((await run('invitations', 'withdraw', String(other.id))).code, 0)
    assert.deepEqual(await desk.json('invitations'), [])
    assert.equal((await desk.json('members', 'list'))[0].email, 'ada@example.com')
    assert.equal((await run('members', 'role', 'nobody@example.com', 'viewer')).code, 5)
    assert.equal((await run('members', 'role', 'ada@example.com', 'owner')).code, 2)
  })

  it('assigns and merges crash groups', async () => {
    for (const name of ['a', 'b']) {
      await writeFile(join(desk.folder, 'crash.txt'), `java.lang.Error: x\n\tat com.example.${name}.open(S.java:1)\n`)
      assert.equal((await run('crashes', 'upload', 'crash.txt', '--app', 'shop')).code, 0)
    }
    let groups: { id: number }[] = []
    for (let tries = 0; groups.length < 2 && tries < 100; tries++) {
      groups = await desk.json('crashes', 'list', '--app', 'shop')
    }
    const [first = '', second = ''] = groups.map(({ id }) => String(id))
    const assigned = await desk.json('crashes', 'assign', first, 'ADA@example.com')
    assert.equal(assigned.assignee.name, 'Ada')
    assert.equal((await desk.json('crashes', 'assign', first, 'nobody')).assignee, null)
    assert.equal((await run('crashes', 'assign', first, 'bob@example.com')).code, 5)
    assert.equal((await run('crashes', 'merge', first)).code, 2)
    const merged = await desk.json('crashes', 'merge', first, second, '--yes')
    assert.equal(merged.crashCount, 2)
  })

  it('shows and changes the workspace', async () => {
    const changed = await desk.json(
      'workspaces',
      'update',
      '--name',
      'Harbour',
      '--link-days',
      '30',
      '--keep-days',
      '90',
    )
    assert.deepEqual([changed.name, changed.linkLifetimeDays, changed.retentionDays], ['Harbour', 30, 90])
    assert.equal((await desk.json('workspaces', 'update', '--keep-days', 'all')).retentionDays, null)
    assert.match((await run('workspaces')).stdout, /^Workspace +\d+, Harbour$/m)
    for (const words of [[], ['--link-days', '0'], ['--two-factor', 'maybe']]) {
      assert.equal((await run('workspaces', 'update', ...words)).code, 2)
    }
  })

  it('extends, protects and revokes links, those of builds too', async () => {
    const { id, url } = await desk.json('links', 'create', 'Wall', '--app', 'shop', '--uploads')
    const nextYear = new Date(Date.now() + 365 * 86_400_000).toISOString()
    const until = ['--until', nextYear]
    assert.equal((await desk.json('links', 'extend', String(id), ...until)).expirationDate, nextYear)
    const env = { LINK_PASSWORD: 'open sesame' }
    const { code } = await desk.fairlead(['links', 'protect', String(id), '--password-env', 'LINK_PASSWORD'], { env })
    assert.equal(code, 0)
    assert.match(await (await fetch(url)).text(), /type="password"/)
    assert.equal((await desk.json('links', 'protect', String(id), '--open')).hasPassword, false)
    assert.equal((await run('links', 'protect', String(id))).code, 2)
    const own = await desk.json('links', 'extend', '1', '--build', ...until)
    assert.equal(own.expirationDate, nextYear)
    assert.equal((await fetch(own.installUrl)).status, 200)
    assert.match((await run('links', 'revoke', '1', '--build')).stdout, /^State +revoked$/m)
    assert.equal((await fetch(own.installUrl)).status, 410)
  })

  it('downloads the newest build of a branch, to standard output too', async () => {
    const words = ['builds', 'download', '--latest', '--app', 'shop']
    const { path } = await desk.json(...words, '--branch', 'main', '--output', 'got.apk')
    const wanted = createHash('sha256')
      .update(await readFile(join(desk.folder, '2.apk')))
      .digest('hex')
    assert.equal(
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex'),
      wanted,
    )
    const { code, stdout, stderr } = await run(...words, '-o', '-')
    assert.deepEqual([code, stdout.startsWith('PK')], [0, true], stderr)
    assert.equal((await run(...words, '--branch', 'none')).code, 5)
    for (const wrong of [['1', '--latest'], [], ['--latest']]) {
      assert.equal((await run('builds', 'download', ...wrong)).code, 2)
    }
  })

  it('calls any endpoint, with pages and a path of fields', async () => {
    const listed = await run('api', '/v1/applications/1/builds?limit=1', '--all', '--field', '.[].version')
    assert.deepEqual([listed.code, listed.stdout], [0, '3\n2\n1\n'], listed.stderr)
    const made = await run('api', '/v1/distributionGroups', '--data', '{"name": "Made by api"}', '--field', '.name')
    assert.deepEqual([made.code, made.stdout], [0, 'Made by api\n'], made.stderr)
    const fromInput = await desk.fairlead(['api', 'v1/distributionGroups', '--data', '@-'], {
      input: '{"name": "Two"}',
    })
    assert.equal(JSON.parse(fromInput.stdout).name, 'Two')
    const { id } = JSON.parse(fromInput.stdout)
    const gone = await run('api', `/v1/distributionGroups/${id}`, '--method', 'DELETE')
    assert.deepEqual([gone.code, gone.stdout], [0, ''])
    assert.equal((await run('api', '/v1/builds/999')).code, 5)
    assert.equal((await run('api', '/v1/distributionGroups', '--data', '{}')).code, 6)
    for (const words of [
      ['/v1/builds/1', '--field', 'version'],
      ['/v1/builds/1', '--field', '.[]'],
      ['/v1/builds/1', '--data', '{'],
      ['/v1/builds/1', '--header', 'none'],
      ['/v1/builds/1', '--all', '--method', 'DELETE'],
    ]) {
      assert.equal((await run('api', ...words)).code, 2, words.join(' '))
    }
    assert.equal((await run('api', '/v1/builds/1', '--field', '.distributionGroups[0]')).stdout, 'null\n')
  })

  it('adds testers from CSV', async () => {
    const rows = [
      '\uFEFF"E-mail";Name',
      '"ada@example.com";"Lovelace; Ada"',
      'bob@example.com;',
      '',
      'eve@example.com;Eve <x>',
    ]
    await writeFile(join(desk.folder, 'testers.csv'), rows.join('\r\n'))
    const testers = await desk.json('testers', 'add', '--group', 'QA', '--file', 'testers.csv')
    const found = testers.map(({ email, name }: { email: string; name: string | null }) => [email, name]).toSorted()
    assert.deepEqual(found, [
      ['ada@example.com', 'Lovelace; Ada'],
      ['bob@example.com', null],
      ['eve@example.com', 'Eve x'],
    ])
    await writeFile(join(desk.folder, 'testers.csv'), 'email,name\n"ada')
    assert.equal((await run('testers', 'add', '--group', 'QA', '--file', 'testers.csv')).code, 6)
  })

  it('takes defaults from the project file, but sends its server no token of the environment', async () => {
    const folder = join(desk.folder, 'project')
    await mkdir(join(folder, 'app/src'), { recursive: true })
    const put = (content: unknown) => writeFile(join(folder, 'fairlead.json'), JSON.stringify(content))
    const from = (words: string[], env?: Record<string, string>) =>
      desk.fairlead(words, { cwd: join(folder, 'app/src'), ...(env && { env }) })
    await put({ app: 'shop', groups: ['QA'] })
    assert.equal((await from(['builds', 'list'])).code, 0)
    const upload = await from(['builds', 'upload', join(desk.folder, '1.apk'), '--json'])
    assert.equal(upload.code, 0, upload.stderr)
    assert.equal(JSON.parse(upload.stdout).distributionGroups[0].name, 'QA')
    assert.equal((await from(['builds', 'list', '--app', 'other'])).code, 5)
    assert.equal((await from(['builds', 'list', '--help'])).code, 0)
    await put({ server: desk.server.url, app: 'shop' })
    const refused = await from(['builds', 'list'], { FAIRLEAD_URL: '' })
    assert.deepEqual([refused.code, /FAIRLEAD_TOKEN is not sent/.test(refused.stderr)], [3, true], refused.stderr)
    assert.equal((await from(['builds', 'list', '--token', token], { FAIRLEAD_URL: '' })).code, 0)
    for (const wrong of [{ sever: 'x' }, { app: 7 }, { groups: 'QA' }, [], { groups: [''] }]) {
      await put(wrong)
      assert.equal((await from(['builds', 'list'])).code, 2)
    }
    await mkdir(join(folder, 'app/.git'))
    assert.equal((await from(['builds', 'list'])).code, 2)
    await rm(join(folder, 'fairlead.json'))
    assert.match((await from(['builds', 'list'])).stderr, /--app needs a value/)
  })
})
