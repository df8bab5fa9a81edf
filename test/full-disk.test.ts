import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { writeApk } from '@fairlead/binary/fixture'
import { fillDisk } from './processes/fill-disk.ts'
import { openTemporaryFolder, startServerProcess, token } from './processes/server-process.ts'
import { readAnswer } from '../scripts/read-json.ts'

describe('a full disk', () => {
  it('answers an upload with 507, loses nothing and still accepts what fits', async (test) => {
    await using folder = await openTemporaryFolder()
    // The test mounts a small file system, which only root may do.
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'fairlead', folder.path])
    if (mounted.status !== 0) {
      assert.notEqual(process.env.CI, 'true', 'nothing may be left out here, and no file system could be mounted')
      test.skip('needs permission to mount a file system')
      return
    }
    await using _unmount = { [Symbol.asyncDispose]: async () => void spawnSync('umount', ['-l', folder.path]) }
    await using server = await startServerProcess({ dataDir: folder.path })
    const headers = { 'X-Service-Token': token }
    await fetch(`${server.url}/v1/applications`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Full', alias: 'full', platform: 'android' }),
    })
    const upload = (size: number, isStreamed = false) => {
      const files = [{ name: 'assets/data', data: randomBytes(size) }]
      const body = new Uint8Array(writeApk({ packageName: 'com.example.full', icon: null, files }))
      return fetch(`${server.url}/v2/builds`, {
        method: 'POST',
        headers: { ...headers, 'X-Service-Application-Alias': 'full' },
        ...(isStreamed ? { body: ReadableStream.from([body]), duplex: 'half' } : { body }),
      })
    }

    const read = async <Content>(path: string) => readAnswer<Content>(await fetch(server.url + path, { headers }))
    assert.equal((await upload(100_000)).status, 201)
    const tooMuch = await upload(12_000_000)
    assert.equal(tooMuch.status, 507)
    assert.equal((await upload(12_000_000, true)).status, 507)
    const error = await readAnswer<{ httpStatus: number; title: string }>(tooMuch)
    assert.deepEqual([error.httpStatus, error.title], [507, 'Insufficient Storage'])
    assert.deepEqual(globSync('staging/*/*', { cwd: folder.path }), [])
    assert.equal(globSync('blobs/*/*', { cwd: folder.path }).length, 1)
    // The symbols fit on the disk, but the lookup files that are made from them do not.
    const classes = Array.from({ length: 20_000 }, (_, index) => `com.example.Class${index} -> a.a${index}:`)
    const mapping = Buffer.from(`# compiler: R8\n# pg_map_id: 0123abc\n${classes.join('\n')}\n`)
    const { bavail, bsize } = await statfs(folder.path)
    await writeFile(join(folder.path, 'filling'), randomBytes(bavail * bsize - mapping.length - 100_000))
    const symbols = await fetch(`${server.url}/v2/symbolsFiles`, {
      method: 'POST',
      headers: {
        ...headers,
        'X-Service-Application-Alias': 'full',
        'X-Service-Package': 'com.example.full',
        'X-Service-Version-Name': '1.0',
        'X-Service-Version-Code': '7',
      },
      body: mapping,
    })
    assert.equal(symbols.status, 507)
    await rm(join(folder.path, 'filling'))
    assert.equal((await upload(100_000)).status, 201)
    const builds = await fetch(`${server.url}/v1/applications/1/builds`, { headers })
    assert.equal((await readAnswer<unknown[]>(builds)).length, 2)

    const key = await fetch(`${server.url}/v1/applications/1/crashKeys`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Apps' }),
    })
    const { key: crashKey } = await readAnswer<{ key: string }>(key)
    const event = { level: 'fatal', user: { id: 'seven' }, exception: { values: [{ type: 'Error' }] } }
    const sent = await fetch(`${server.url}/api/1/store/?sentry_key=${crashKey}`, {
      method: 'POST',
      body: JSON.stringify(event),
    })
    assert.equal(sent.status, 200)
    while ((await read<{ pendingCount: number }>('/v1/applications/1/crashIntake')).pendingCount > 0) {}

    fillDisk(join(folder.path, 'other'))
    assert.equal((await upload(1000)).status, 507)
    const download = await fetch(`${server.url}/v1/builds/1/binary`, { headers })
    assert.equal(download.status, 200)
    assert.ok((await download.arrayBuffer()).byteLength > 100_000)
    const crashes = '/v1/applications/1/crashes?installId=seven'
    const forgotten = await fetch(server.url + crashes, { method: 'DELETE', headers })
    assert.equal(forgotten.status, 204, server.output().slice(-3000))
    assert.deepEqual(await read('/v1/crashGroups/1/crashes'), [])
    // The deletion used the space that the ballast file held ready. The next upload that fits restores the file.
    await rm(join(folder.path, 'other'))
    assert.equal((await upload(1000)).status, 201)
    fillDisk(join(folder.path, 'other'))
    const deleted = await fetch(`${server.url}/v1/builds/1`, { method: 'DELETE', headers })
    assert.equal(deleted.status, 204, server.output().slice(-3000))
    assert.equal((await fetch(`${server.url}/v1/builds/1`, { headers })).status, 404)
    assert.equal(globSync('blobs/*/*', { cwd: folder.path }).length, 2)
  })

  it('that holds temporary files alone refuses by name what needs them, and nothing else', async (test) => {
    await using folder = await openTemporaryFolder()
    await using temporary = await openTemporaryFolder()
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'fairlead', temporary.path])
    if (mounted.status !== 0) {
      assert.notEqual(process.env.CI, 'true', 'nothing may be left out here, and no file system could be mounted')
      test.skip('needs permission to mount a file system')
      return
    }
    await using _unmount = { [Symbol.asyncDispose]: async () => void spawnSync('umount', ['-l', temporary.path]) }
    fillDisk(join(temporary.path, 'other'))
    // SQLite has a variable of its own for the folder.
    const env = { TMPDIR: temporary.path, SQLITE_TMPDIR: temporary.path }
    await using server = await startServerProcess({ dataDir: folder.path, env })
    const headers = { 'X-Service-Token': token, 'X-Service-Application-Alias': 'full' }
    const write = async (path: string, options: RequestInit) => {
      const answer = await fetch(server.url + path, { method: 'POST', ...options })
      assert.ok(answer.status < 300, `${path} ${answer.status} ${await answer.clone().text()}`)
      return answer
    }
    const toJson = (value: object) => ({
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(value),
    })
    await write('/v1/applications', toJson({ name: 'Full', alias: 'full', platform: 'android' }))
    const files = [{ name: 'assets/data', data: Buffer.alloc(2_000_000), deflate: true }]
    const build = new Uint8Array(writeApk({ packageName: 'com.example.full', files }))
    await write('/v2/builds', { headers, body: build })
    const symbols = { 'X-Service-Package': 'com.example.full', 'X-Service-Version-Name': '1.0' }
    const mapping = `# compiler: R8\n# pg_map_id: 0123abc\ncom.example.Shop -> a.a:\n`
    await write('/v2/symbolsFiles', {
      headers: { ...headers, ...symbols, 'X-Service-Version-Code': '7' },
      body: mapping,
    })
    const read = async <Content>(path: string) => readAnswer<Content>(await fetch(server.url + path, { headers }))
    const key = await write('/v1/applications/1/crashKeys', toJson({ name: 'Apps' }))
    const { key: crashKey } = await readAnswer<{ key: string }>(key)
    const event = JSON.stringify({ level: 'fatal', exception: { values: [{ type: 'Error' }] } })
    await write(`/api/1/store/?sentry_key=${crashKey}`, { body: event })
    while ((await read<{ pendingCount: number }>('/v1/applications/1/crashIntake')).pendingCount > 0) {}
    assert.equal((await read<unknown[]>('/v1/applications/1/crashGroups')).length, 1)
    assert.equal((await read<unknown[]>('/v1/applications/1/builds')).length, 1)
    const cases = Array.from({ length: 3000 }, (_, index) => {
      const failure = index % 2 === 0 ? '' : `<failure message="no ${index}">${'x'.repeat(300)}</failure>`
      return `<testcase name="c${index}" classname="b">${failure}</testcase>`
    })
    const body = `<testsuite>${cases.join('')}</testsuite>`
    // SQLite writes what it needs to undo a large statement to a temporary file.
    const refused = await fetch(`${server.url}/v1/testReports`, { method: 'POST', headers, body })
    assert.equal(refused.status, 507)
    assert.equal((await readAnswer<{ title: string }>(refused)).title, 'Insufficient Storage')
    assert.deepEqual(await read('/v1/applications/1/testRuns'), [])
    assert.deepEqual(globSync('staging/*/*', { cwd: folder.path }), [])
    await rm(join(temporary.path, 'other'))
    spawnSync('mount', ['-o', 'remount,size=64m', temporary.path])
    const report = await write('/v1/testReports', { headers, body })
    const { run } = await readAnswer<{ run: { id: number; counts: { failed: number } } }>(report)
    assert.equal(run.counts.failed, 1500)
    await write(`/v1/testRuns/${run.id}/complete`, { headers })
  })

  it('does not stop a server whose log is on it', async (test) => {
    // Every write to this device fails as on a full disk.
    if (!existsSync('/dev/full')) {
      test.skip('needs /dev/full')
      return
    }
    await using folder = await openTemporaryFolder()
    await using server = await startServerProcess({ dataDir: folder.path, stdout: '/dev/full' })
    for (let index = 0; index < 500; index++) {
      const answer = await fetch(`${server.url}/v1/nothing`)
      assert.equal(answer.status, 404)
      await answer.body?.cancel()
    }
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200)
    assert.equal(await server.end('SIGTERM'), 0)
  })
})
