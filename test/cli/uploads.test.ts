import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { writeApk, writeSparseApk } from '@fairlead/binary/fixture'
import { requirePort } from '../../scripts/free-port.ts'
import { openTemporaryFolder, token } from '../processes/server-process.ts'
import { type Desk, openDesk, runHere } from './fairlead.ts'
import { readJson } from '../../scripts/read-json.ts'

const shop = { packageName: 'com.example.shop', versionName: '1.2', versionCode: 34 }

describe('fairlead builds upload', { timeout: 300_000 }, () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk()
    await writeFile(join(desk.folder, 'app.apk'), writeApk(shop))
    await writeFile(join(desk.folder, 'CHANGELOG.md'), '# 1.2\n\n- Faster start\n')
    await desk.json('apps', 'create', 'shop', '--platform', 'android', '--identifier', 'com.example.shop')
    await desk.json('groups', 'create', 'QA')
    await desk.json('testers', 'add', 'Ada <ada@example.com>', '--group', 'QA')
  })
  after(() => desk[Symbol.asyncDispose]())

  const countBuilds = async () => (await desk.json<unknown[]>('builds', 'list', '--app', 'shop')).length

  it('uploads, sets the notes and distributes by one command, in plain lines without a terminal', async () => {
    const outputs = join(desk.folder, 'outputs')
    const dotenv = join(desk.folder, 'build.env')
    const env = {
      GITHUB_ACTIONS: 'true',
      GITHUB_REF_NAME: 'main',
      GITHUB_SHA: 'c0ffee',
      GITHUB_SERVER_URL: 'https://ci.example',
      GITHUB_REPOSITORY: 'team/shop',
      GITHUB_RUN_ID: '99',
      GITHUB_OUTPUT: outputs,
    }
    const notes = ['--notes-file', 'CHANGELOG.md', '--group', 'qa', '--notify', '--dotenv', dotenv]
    const { code, stdout, stderr } = await desk.fairlead(['builds', 'upload', 'app.apk', '--app', 'shop', ...notes], {
      env,
    })
    assert.equal(code, 0, stderr)
    assert.ok(!`${stdout}${stderr}`.includes('\x1b'), 'escape sequences in a pipe')
    assert.match(stderr, /^Uploading app\.apk \(.*\) to shop\nSent 100% of /)
    assert.match(stdout, /Install +http:\/\/localhost:\d+\/install\//)
    const [build] = await desk.json<{ id: number; installUrl: string }[]>('builds', 'list', '--app', 'shop')
    assert.ok(build)
    const shown = await desk.json('builds', 'show', String(build.id))
    assert.equal(shown.releaseNotes, '# 1.2\n\n- Faster start\n')
    assert.deepEqual(
      shown.distributionGroups.map(({ name }: { name: string }) => name),
      ['QA'],
    )
    const taken = await desk.fairlead(['builds', 'withdraw', String(build.id), '--group', 'qa'])
    assert.equal(taken.code, 0, taken.stderr)
    assert.deepEqual((await desk.json('builds', 'show', String(build.id))).distributionGroups, [])
    const unnamed = await desk.fairlead(['builds', 'withdraw', String(build.id)])
    assert.equal(unnamed.code, 2)
    assert.deepEqual(shown.source, {
      branch: 'main',
      commit: 'c0ffee',
      ciUrl: 'https://ci.example/team/shop/actions/runs/99',
    })
    const { id, installUrl } = build
    assert.equal(await readFile(outputs, 'utf8'), `build-id=${id}\ninstall-url=${installUrl}\nversion=34\n`)
    assert.match(await readFile(dotenv, 'utf8'), new RegExp(`^FAIRLEAD_BUILD_ID=${id}$`, 'm'))
  })

  it('finds the application by the identifier in the file', async () => {
    assert.equal((await desk.json('builds', 'upload', 'app.apk')).applicationAlias, 'shop')
  })

  it('says what to do about a wrong token, and sends nothing', async () => {
    const before_ = await countBuilds()
    const env = { FAIRLEAD_TOKEN: 'fl_wrong-token-0123456789abcdefghijklmnop' }
    const { code, stderr } = await desk.fairlead(['builds', 'upload', 'app.apk', '--app', 'shop'], { env })
    assert.equal(code, 3)
    assert.match(stderr, /^error: The server does not know this token, or the token has ended\nRun "fairlead login"/)
    assert.equal(await countBuilds(), before_)
  })

  it('lists the existing aliases when one is unknown, and sends nothing', async () => {
    const { code, stderr } = await desk.fairlead(['builds', 'upload', 'app.apk', '--app', 'shopp'])
    assert.equal(code, 5)
    assert.match(stderr, /No application has the alias "shopp"\nThe workspace has: shop\./)
    assert.doesNotMatch(stderr, /Uploading/)
  })

  it('names a group that does not exist, and sends nothing', async () => {
    const before_ = await countBuilds()
    const args = ['builds', 'upload', 'app.apk', '--app', 'shop', '--group', 'QA', '--group', 'Beta']
    const { code, stderr } = await desk.fairlead(args)
    assert.equal(code, 5)
    assert.match(stderr, /No distribution group is called "Beta"\nThe workspace has: QA\./)
    assert.equal(await countBuilds(), before_)
  })

  it('refuses a file that is no app or another app before it sends anything', async () => {
    await writeFile(join(desk.folder, 'notes.apk'), 'no zip')
    const noApp = await desk.fairlead(['builds', 'upload', 'notes.apk', '--app', 'shop'])
    assert.equal(noApp.code, 6)
    assert.match(
      noApp.stderr,
      /^error: notes\.apk cannot be read as an \.apk or \.ipa\n {2}The file is not a zip archive\./,
    )
    await writeFile(join(desk.folder, 'other.apk'), writeApk({ packageName: 'com.example.other' }))
    const other = await desk.fairlead(['builds', 'upload', 'other.apk', '--app', 'shop'])
    assert.equal(other.code, 6)
    assert.match(other.stderr, /The file is com\.example\.other, and shop is com\.example\.shop/)
    const missing = await desk.fairlead(['builds', 'upload', 'nothing.apk', '--app', 'shop'])
    assert.equal(missing.code, 5)
    assert.match(missing.stderr, /nothing\.apk does not exist/)
  })

  it('says what would happen, and does nothing, with --dry-run', async () => {
    const before_ = await countBuilds()
    const plan = await desk.json('builds', 'upload', 'app.apk', '--group', 'QA', '--notify', '--dry-run')
    assert.equal(plan.application, 'shop')
    assert.deepEqual(plan.groups, ['QA'])
    assert.equal(await countBuilds(), before_)
  })

  it('uploads 300 MB, and returns the first build again for the same idempotency key', async () => {
    const path = join(desk.folder, 'large.apk')
    writeSparseApk(path, 300_000_000, shop)
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash)
    const sha256 = hash.digest('hex')
    const args = ['builds', 'upload', 'large.apk', '--app', 'shop', '--idempotency-key', 'large']
    const first = await desk.json(...args)
    assert.equal(first.sha256, sha256)
    assert.equal((await desk.json(...args)).id, first.id)
    const received = await desk.json('builds', 'download', String(first.id), '--output', 'received.apk')
    assert.equal(received.sha256, sha256)
  })

  it('leaves nothing behind when Ctrl-C comes in the middle', async () => {
    const before_ = await countBuilds()
    writeSparseApk(join(desk.folder, 'long.apk'), 400_000_000, shop)
    await using temporary = await openTemporaryFolder()
    let isInterrupted = false
    const { code, stderr } = await desk.fairlead(['builds', 'upload', 'long.apk', '--app', 'shop'], {
      env: { TMPDIR: temporary.path },
      onStderr: (child, text) => {
        if (!isInterrupted && text.includes('Sent 25%')) isInterrupted = child.kill('SIGINT')
      },
    })
    assert.equal(code, 130, stderr)
    assert.match(stderr, /error: Interrupted/)
    assert.equal(await countBuilds(), before_)
    assert.deepEqual(
      (await readdir(temporary.path)).filter((name) => !name.startsWith('node-compile-cache')),
      [],
    )
  })

  it('says which build the server made when Ctrl-C comes after the last byte', async () => {
    const stop = new AbortController()
    // A server before the server, which hears of the build before the command does.
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      const body = await buffer(request)
      const { host: _host, connection: _connection, 'content-length': _length, ...rest } = request.headers
      const headers = Object.entries(rest).map(([name, value]) => [name, String(value)] as [string, string])
      const given = await fetch(`${desk.server.url}${request.url}`, {
        method: request.method ?? 'GET',
        headers: headers.filter(([name]) => name !== 'transfer-encoding' && name !== 'expect'),
        ...(body.length > 0 && { body }),
      })
      const text = await given.text()
      if (request.method === 'POST') stop.abort(new Error('Ctrl-C'))
      response.writeHead(given.status, { 'Content-Type': given.headers.get('content-type') ?? '' }).end(text)
    }
    await using front = createServer((request, response) => void answer(request, response))
    front.listen(0, '127.0.0.1')
    await once(front, 'listening')
    await writeFile(join(desk.folder, 'late.apk'), writeApk({ ...shop, versionName: '7.7' }))
    const before_ = await countBuilds()
    const { code, stderr } = await runHere(['builds', 'upload', 'late.apk', '--app', 'shop'], {
      cwd: desk.folder,
      signal: stop.signal,
      env: { FAIRLEAD_URL: `http://127.0.0.1:${requirePort(front)}`, FAIRLEAD_TOKEN: token },
    })
    assert.equal(code, 130, stderr)
    const id = /Interrupted, but the server had all bytes and made build (\d+)\n/.exec(stderr)?.[1]
    assert.match(stderr, new RegExp(`fairlead builds delete ${id}`))
    assert.equal(await countBuilds(), before_ + 1)
    assert.equal((await desk.json<{ shortVersion: string }>('builds', 'show', id ?? '')).shortVersion, '7.7')
  })

  it('shows where an error was thrown only with --debug', async () => {
    const plain = await desk.fairlead(['builds', 'show', '99999'])
    assert.deepEqual([plain.code, plain.stderr], [5, 'error: Build with the given ID does not exist\n'])
    const { stderr } = await desk.fairlead(['builds', 'show', '99999', '--debug'])
    assert.match(stderr, /RequestError: Build with[^]*\n +at /)
  })

  it('gives errors as JSON to scripts that asked for JSON', async () => {
    const { code, stdout, stderr } = await desk.fairlead(['builds', 'show', '99999', '--json'])
    assert.equal(code, 5)
    assert.equal(stdout, '')
    const { error } = readJson<{ error: Record<string, unknown> }>(stderr)
    assert.deepEqual(
      [error.httpStatus, error.exitCode, error.message],
      [404, 5, 'Build with the given ID does not exist'],
    )
  })

  it('says that a server cannot be reached', async () => {
    const { code, stderr } = await desk.fairlead(['apps'], { env: { FAIRLEAD_URL: 'http://127.0.0.1:21600' } })
    assert.equal(code, 7)
    assert.match(stderr, /trying again[^]*error: The server cannot be reached[^]*ECONNREFUSED/)
  })

  it('prints no control characters that a binary contains', async () => {
    const label = 'Shop\x1b[2J\x07\u202e'
    await writeFile(join(desk.folder, 'odd.apk'), writeApk({ ...shop, label, versionName: '1.3' }))
    const { id } = await desk.json('builds', 'upload', 'odd.apk', '--app', 'shop')
    for (const args of [
      ['builds', 'show', String(id)],
      ['builds', 'list', '--app', 'shop'],
      ['inspect', 'odd.apk'],
    ]) {
      const { code, stdout } = await desk.fairlead(args)
      assert.equal(code, 0)
      for (const char of ['\x1b', '\x07', '\u202e']) assert.ok(!stdout.includes(char))
    }
  })

  it('deletes only after a confirmation', async () => {
    const { id } = await desk.json('builds', 'upload', 'app.apk')
    const asked = await desk.fairlead(['builds', 'delete', String(id)])
    assert.equal(asked.code, 2)
    assert.match(asked.stderr, /Say --yes/)
    assert.equal((await desk.json('builds', 'delete', String(id), '--yes')).deleted, true)
    assert.equal((await desk.fairlead(['builds', 'show', String(id)])).code, 5)
  })

  it('compares two files without a server, and two builds by their ids', async () => {
    await writeFile(join(desk.folder, 'next.apk'), writeApk({ ...shop, versionCode: 35, permissions: ['a.b.CAMERA'] }))
    const env = { FAIRLEAD_URL: '', FAIRLEAD_TOKEN: '' }
    const { code, stdout } = await desk.fairlead(['builds', 'diff', 'app.apk', 'next.apk'], { env })
    assert.equal(code, 0)
    assert.match(stdout, /^Version\t34\t35$/m)
    assert.match(stdout, /^Permissions\t\ta\.b\.CAMERA$/m)
    const [one, two] = [await desk.json('builds', 'upload', 'app.apk'), await desk.json('builds', 'upload', 'next.apk')]
    const { differences } = await desk.json('builds', 'diff', String(one.id), String(two.id))
    assert.deepEqual(
      differences.find(({ field }: { field: string }) => field === 'Version'),
      { field: 'Version', before: '34', after: '35' },
    )
  })
})
