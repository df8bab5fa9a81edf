import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { writeApk } from '@fairlead/binary/fixture'
import { openTemporaryFolder, serverSource, startServerProcess, token } from './processes/server-process.ts'
import { readAnswer, readJson } from '../scripts/read-json.ts'
import { requirePort } from '../scripts/free-port.ts'

describe('the server as a process', () => {
  it('refuses to start on the data folder of a running server and says why', async () => {
    await using folder = await openTemporaryFolder()
    await using first = await startServerProcess({ dataDir: folder.path, program: serverSource })
    await assert.rejects(startServerProcess({ dataDir: folder.path }), (error: Error) => {
      assert.match(error.message, /Another Fairlead process uses the data folder/)
      assert.doesNotMatch(error.message, /folder-lock/)
      return true
    })
    assert.equal((await fetch(`${first.url}/healthz`)).status, 200)
    await first.end('SIGKILL')
    await using _second = await startServerProcess({ dataDir: folder.path })
  })

  it('and the command line say in a sentence that this Node is too old', () => {
    const old = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.2'})`
    for (const program of ['apps/server/src/main.ts', 'apps/cli/src/bin.ts']) {
      const path = join(import.meta.dirname, '..', program)
      const { status, stderr } = spawnSync(process.execPath, ['--import', old, path, '--version'], { encoding: 'utf8' })
      assert.match(stderr, /^\w+ needs Node \d+(\.\d+)? or newer; this is v?\d+[^\n]*\n$/, program)
      assert.ok(status === 1 || status === 2)
    }
  })

  it('reports a port in use by its setting, without a stack trace', async () => {
    await using folder = await openTemporaryFolder()
    await using taken = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const port = requirePort(taken)
    const env = { FAIRLEAD_PORT: String(port) }
    await assert.rejects(startServerProcess({ dataDir: folder.path, env }), (error: Error) => {
      assert.match(error.message, new RegExp(`FAIRLEAD_PORT is taken: .*127\\.0\\.0\\.1:${port}`))
      assert.doesNotMatch(error.message, /\n\s+at /)
      return true
    })
  })

  it('reports a data folder that cannot be created, without a stack trace', async () => {
    await using folder = await openTemporaryFolder()
    await writeFile(join(folder.path, 'file'), '')
    await symlink(join(folder.path, 'nowhere/data'), join(folder.path, 'link'))
    const wrong = ['file', 'file/data', 'link'].map((name) => join(folder.path, name))
    for (const dataDir of ['/proc/fairlead', ...wrong]) {
      const started = startServerProcess({ dataDir })
      await assert.rejects(started, ({ message }: Error) => {
        assert.match(message, /FAIRLEAD_DATA_DIR: The folder \S+ cannot be created \(E\w+: /)
        assert.doesNotMatch(message, /\n\s+at /)
        return true
      })
    }
  })

  it('reports every wrong setting and does not start', async () => {
    await using folder = await openTemporaryFolder()
    const env = { FAIRLEAD_SMTP_URL: 'mail', FAIRLEAD_MAX_UPLOAD_BYTES: '-1' }
    await assert.rejects(startServerProcess({ dataDir: folder.path, env }), (error: Error) => {
      assert.match(error.message, /ended with 1/)
      assert.match(error.message, /FAIRLEAD_SMTP_URL/)
      assert.match(error.message, /FAIRLEAD_MAX_UPLOAD_BYTES/)
      return true
    })
  })

  it('finishes a running upload after SIGTERM and accepts nothing new', async () => {
    await using folder = await openTemporaryFolder()
    await using server = await startServerProcess({ dataDir: folder.path })
    await fetch(`${server.url}/v1/applications`, {
      method: 'POST',
      headers: { 'X-Service-Token': token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Stop', alias: 'stop', platform: 'android' }),
    })
    const apk = writeApk({ packageName: 'com.example.stop' })
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    const head = [
      'POST /v2/builds HTTP/1.1',
      'Host: stop',
      `X-Service-Token: ${token}`,
      'X-Service-Application-Alias: stop',
      `Content-Length: ${apk.length}`,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    socket.write(apk.subarray(0, 1000))
    await new Promise((resolve) => setTimeout(resolve, 200))
    const ended = server.end('SIGTERM')
    await new Promise((resolve) => setTimeout(resolve, 200))
    await assert.rejects(fetch(`${server.url}/healthz`, { headers: { connection: 'close' } }))
    socket.write(apk.subarray(1000))
    const [answer]: Buffer[] = await once(socket, 'data')
    assert.match(String(answer), /^HTTP\/1\.1 201 /)
    assert.equal(await ended, 0)
  })

  it('logs each failure as one JSON line with the error id and without secrets', async () => {
    await using folder = await openTemporaryFolder()
    await using server = await startServerProcess({ dataDir: folder.path })
    const answer = await fetch(`${server.url}/v1/builds/1`, { headers: { 'X-Service-Token': 'fl_wrong' } })
    const { id } = await readAnswer<{ id: string }>(answer)
    await fetch(`${server.url}/install/0123456789abcdefghijkl`)
    const lines = server.output().trim().split('\n')
    const line = lines.map((text) => readJson<Record<string, unknown>>(text)).find((one) => one.errorId === id)
    assert.equal(line?.status, 401)
    for (const secret of [token, 'fl_wrong', '0123456789abcdefghijkl']) assert.ok(!server.output().includes(secret))
  })

  it('denies other users access to its data folder, even to one that they could read before', async () => {
    await using folder = await openTemporaryFolder()
    const dataDir = join(folder.path, 'data')
    await mkdir(dataDir)
    await chmod(dataDir, 0o755)
    await using server = await startServerProcess({ dataDir })
    const headers = { 'X-Service-Token': token }
    await fetch(`${server.url}/v1/applications`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Shop', alias: 'shop', platform: 'android' }),
    })
    const body = new Uint8Array(writeApk({ packageName: 'com.example.shop' }))
    const upload = { ...headers, 'X-Service-Application-Alias': 'shop' }
    assert.equal((await fetch(`${server.url}/v2/builds`, { method: 'POST', headers: upload, body })).status, 201)
    assert.equal((await stat(dataDir)).mode & 0o777, 0o700)
    for (const entry of await readdir(dataDir, { recursive: true })) {
      const { mode } = await stat(join(dataDir, entry))
      assert.equal(mode & 0o077, 0, `${entry} has the mode ${(mode & 0o777).toString(8)}`)
    }
    await server[Symbol.asyncDispose]()
    await chmod(dataDir, 0o705)
    await using _handsOff = await startServerProcess({ dataDir, env: { FAIRLEAD_ACCEL: 'x-sendfile' } })
    assert.equal(
      (await stat(dataDir)).mode & 0o777,
      0o750,
      'the group of a front server reads the folder, others do not',
    )
  })

  it('lists its commands and says its version, whatever the settings are', () => {
    const run = (...words: string[]) =>
      spawnSync(process.execPath, [join(import.meta.dirname, '../apps/server/src/main.ts'), ...words], {
        env: { FAIRLEAD_PORT: 'many' },
        encoding: 'utf8',
      })
    for (const words of [['--help'], ['-h'], ['help'], ['backup', '--help']]) {
      const { status, stdout, stderr } = run(...words)
      assert.deepEqual([status, stderr], [0, ''], words.join(' '))
      assert.match(stdout, /^Usage: fairlead-server[^]*\n {2}backup FOLDER[^]*\n {2}reset-password EMAIL/)
    }
    assert.match(run('--version').stdout, /^\d+\.\d+\.\d+\n$/)
    const unknown = run('bakcup')
    assert.deepEqual([unknown.status, unknown.stdout], [2, ''])
    assert.match(unknown.stderr, /^There is no command "bakcup"\.\n\nUsage: fairlead-server/)
  })

  it('has commands for its operator that work while it runs', async () => {
    await using folder = await openTemporaryFolder()
    await using server = await startServerProcess({ dataDir: folder.path })
    const json = { 'Content-Type': 'application/json' }
    const invited = await fetch(`${server.url}/v1/invitations`, {
      method: 'POST',
      headers: { ...json, 'X-Service-Token': token },
      body: JSON.stringify({ email: 'ada@example.com', role: 'admin' }),
    })
    const { inviteUrl } = await readAnswer<{ inviteUrl: string }>(invited)
    const post = (path: string, body: object) =>
      fetch(server.url + path, { method: 'POST', headers: json, body: JSON.stringify(body) })
    const invitation = new URL(inviteUrl).searchParams.get('token')
    await post('/v1/invitations/accept', { token: invitation, name: 'Ada', password: 'correct horse battery' })
    const run = (...words: string[]) =>
      spawnSync(process.execPath, [join(import.meta.dirname, '../apps/server/src/main.ts'), ...words], {
        env: { FAIRLEAD_DATA_DIR: folder.path },
        encoding: 'utf8',
      })
    assert.equal(run('reset-password').status, 2)
    const unknown = run('reset-password', 'nobody@example.com')
    assert.equal(unknown.status, 1)
    assert.match(unknown.stderr, /No account has the e-mail address/)
    const { stdout } = run('reset-password', 'ADA@example.com')
    const reset = new URL(stdout.trim()).searchParams.get('token')
    const redeemed = await post('/v1/passwordResets/redeem', { token: reset, password: 'a new horse battery' })
    assert.equal(redeemed.status, 204)
    assert.equal(run('grant-server-admin', 'ada@example.com').status, 0)
    const signedIn = await post('/v1/session', { email: 'ada@example.com', password: 'a new horse battery' })
    assert.equal((await readAnswer<{ isServerAdmin: boolean }>(signedIn)).isServerAdmin, true)
  })

  it('has a command that gives a workspace an administrator again', async () => {
    await using folder = await openTemporaryFolder()
    await using server = await startServerProcess({ dataDir: folder.path })
    const run = (...words: string[]) =>
      spawnSync(process.execPath, [join(import.meta.dirname, '../apps/server/src/main.ts'), ...words], {
        env: { FAIRLEAD_DATA_DIR: folder.path },
        encoding: 'utf8',
      })
    const headers = { 'Content-Type': 'application/json', 'X-Service-Token': token }
    const call = async <Body>(method: string, path: string, body?: object) =>
      readAnswer<Body>(await fetch(server.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) }))
    const invited = await call<{ inviteUrl: string }>('POST', '/v1/invitations', {
      email: 'ada@example.com',
      role: 'viewer',
    })
    const accepted = {
      token: new URL(invited.inviteUrl).searchParams.get('token'),
      name: 'Ada',
      password: 'a new horse',
    }
    await call('POST', '/v1/invitations/accept', accepted)
    assert.equal(run('workspaces-without-admin').stdout, '1\tdefault\n')
    for (const wrong of [['make-admin', 'ada@example.com'], ['make-admin', 'ada@example.com', 'x'], ['make-admin']]) {
      assert.equal(run(...wrong).status, 2, wrong.join(' '))
    }
    assert.match(run('make-admin', 'ada@example.com', '99').stderr, /No workspace has the id 99/)
    assert.equal(run('make-admin', 'bob@example.com', '1').status, 1)
    const made = run('make-admin', 'ADA@example.com', '1')
    assert.deepEqual([made.status, made.stdout], [0, 'ada@example.com is an administrator of default\n'], made.stderr)
    const [member] = await call<{ role: string; roleSource: string }[]>('GET', '/v1/members')
    assert.deepEqual([member?.role, member?.roleSource], ['admin', 'hand'])
    assert.equal(run('workspaces-without-admin').stdout, '')
    const [event] = await call<{ action: string }[]>('GET', '/v1/auditEvents')
    assert.equal(event?.action, 'member.update')
  })
})
