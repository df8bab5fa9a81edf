/**
 * Fills a small disk with each kind of write, eight at a time, and watches the free space: the reserve stays whole.
 * Then deleting makes room, and everything goes on without a restart.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { writeApk } from '@fairlead/binary/fixture'
import { openTemporaryFolder, type ServerProcess, startServerProcess, token } from './processes/server-process.ts'

const mebibyte = 2 ** 20
const reserve = 16 * mebibyte
/** What the database itself may write of the reserve: that is what the reserve is for. */
const ownWrites = 4 * mebibyte
const headers = { 'X-Service-Token': token, 'X-Service-Application-Alias': 'full' }
const tus = { ...headers, 'Tus-Resumable': '1.0.0' }

const canMount = process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0

describe('a small disk', { skip: !canMount && 'needs permission to mount a file system' }, () => {
  const opened = new AsyncDisposableStack()
  let folder: string
  let server: ServerProcess
  let applicationId: number
  let key: string

  before(async () => {
    folder = opened.use(await openTemporaryFolder()).path
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'fairlead', folder])
    assert.equal(mounted.status, 0, String(mounted.stderr))
    opened.defer(() => void spawnSync('umount', ['-l', folder]))
    const env = { FAIRLEAD_DISK_RESERVE_BYTES: String(reserve), FAIRLEAD_LOG_LEVEL: 'error' }
    server = opened.use(await startServerProcess({ dataDir: folder, env }))
  })
  after(() => opened.disposeAsync())

  const send = async (path: string, options: RequestInit & { duplex?: 'half' } = {}) => {
    const answer = await fetch(server.url + path, { method: 'POST', ...options })
    const text = await answer.text()
    return { status: answer.status, text, headers: answer.headers }
  }
  const sendJson = async (path: string, value: unknown) => {
    const json = { ...headers, 'Content-Type': 'application/json' }
    const { status, text } = await send(path, { headers: json, body: JSON.stringify(value) })
    assert.equal(status, 201, text)
    const created: { id: number; key: string } = JSON.parse(text)
    return created
  }
  const createApplication = async () => {
    const { id } = await sendJson('/v1/applications', { name: 'Full', alias: 'full', platform: 'android' })
    applicationId = id
    key = (await sendJson(`/v1/applications/${id}/crashKeys`, { name: 'Apps' })).key
  }
  /** The length of a streamed body is not known before. */
  const stream = (bytes: Uint8Array<ArrayBuffer>) => {
    const pieces = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, at) =>
      bytes.subarray(at * 65_536, (at + 1) * 65_536),
    )
    return { body: ReadableStream.from(pieces), duplex: 'half' as const }
  }
  const uploadBuild = (size: number) => {
    const files = [{ name: 'assets/data', data: randomBytes(size) }]
    const apk = new Uint8Array(writeApk({ packageName: 'com.example.full', icon: null, files }))
    return send('/v2/builds', { headers, ...stream(apk) })
  }
  const deliver = (size: number) => {
    const filler = randomBytes(size / 2).toString('hex')
    const event = JSON.stringify({ level: 'fatal', exception: { values: [{ type: 'Error' }] } })
    const items = [`{"type":"event","length":${event.length}}\n${event}`, `{"type":"attachment"}\n${filler}`]
    return send(`/api/${applicationId}/envelope/?sentry_key=${key}`, { body: ['{}', ...items].join('\n') })
  }
  const kinds: Record<string, () => Promise<{ status: number; text: string }>> = {
    builds: () => uploadBuild(12 * mebibyte),
    'parts of uploads': async () => {
      const length = String(12 * mebibyte)
      const started = await send('/v2/uploads', { headers: { ...tus, 'Upload-Length': length } })
      if (started.status !== 201) return started
      const type = { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0' }
      const body = stream(new Uint8Array(randomBytes(11 * mebibyte)))
      return send(started.headers.get('location') ?? '', { method: 'PATCH', headers: { ...tus, ...type }, ...body })
    },
    chunks: () => {
      const chunk = randomBytes(2 * mebibyte)
      const sha1 = createHash('sha1').update(chunk).digest('hex')
      const part = `--b\r\nContent-Disposition: form-data; name="file"; filename="${sha1}"\r\n\r\n`
      const body = new Uint8Array(Buffer.concat([Buffer.from(part), chunk, Buffer.from('\r\n--b--\r\n')]))
      const type = { Authorization: `Bearer ${token}`, 'Content-Type': 'multipart/form-data; boundary=b' }
      return send('/api/0/organizations/any/chunk-upload/', { headers: type, body })
    },
    'test reports': () => {
      const output = randomBytes(3 * mebibyte).toString('hex')
      const cases = Array.from({ length: 8 }, (_, at) => {
        const text = output.slice(at * 700_000, (at + 1) * 700_000)
        const outcome = `<failure message="x">y</failure><system-out>${text}</system-out>`
        return `<testcase name="c${at}" classname="b">${outcome}</testcase>`
      })
      const body = `<testsuite name="unit">${cases.join('')}</testsuite>`
      const branch = { ...headers, 'X-Service-Branch': `b${randomBytes(4).toString('hex')}` }
      return send('/v1/testReports', { headers: branch, ...stream(new TextEncoder().encode(body)) })
    },
    symbols: () => {
      const names =
        randomBytes(3 * mebibyte)
          .toString('hex')
          .match(/.{40}/g) ?? []
      const classes = names.map((name, at) => `com.example.C${name} -> a.a${at}:`)
      const mapping = `# compiler: R8\n# pg_map_id: ${randomBytes(4).toString('hex')}\n${classes.join('\n')}\n`
      const version = String(Math.floor(Math.random() * 2 ** 30))
      const named = {
        ...headers,
        'X-Service-Package': 'com.example.full',
        'X-Service-Version-Name': '1.0',
        'X-Service-Version-Code': version,
      }
      return send('/v2/symbolsFiles', { headers: named, body: mapping })
    },
    crashes: () => deliver(900_000),
  }

  for (const [name, write] of Object.entries(kinds)) {
    it(`keeps its reserve while it is filled with ${name}, and goes on when there is room again`, async () => {
      await createApplication()
      let least = Infinity
      const full = new AbortController()
      const statuses = new Map<number, number>()
      const watch = async () => {
        while (!full.signal.aborted) {
          const { bavail, bsize } = await statfs(folder)
          least = Math.min(least, bavail * bsize)
          await setTimeout(1)
        }
      }
      const watching = watch()
      // Another program leaves little room, so that every kind reaches the end soon.
      const { bavail, bsize } = await statfs(folder)
      await writeFile(join(folder, 'other'), randomBytes(Math.max(0, bavail * bsize - reserve - 24 * mebibyte)))
      const fill = async () => {
        for (let round = 0; round < 12; round++) {
          const { status } = await write()
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          if (status === 507) return
        }
      }
      await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(fill))
      full.abort()
      await watching
      const said = JSON.stringify([...statuses])
      for (const status of statuses.keys())
        assert.ok(status < 300 || status === 507 || status === 503 || status === 429, said)
      assert.ok(least > reserve - ownWrites, `${least} bytes were left, ${said}`)
      // Crashes are read while they arrive, so their disk need not be full in the end.
      if (name !== 'crashes') assert.ok(statuses.has(507), said)
      const deleted = await send(`/v1/applications/${applicationId}`, { method: 'DELETE', headers })
      assert.equal(deleted.status, 204, deleted.text)
      await rm(join(folder, 'other'))
      await createApplication()
      const again = await uploadBuild(mebibyte)
      assert.equal(again.status, 201, again.text)
      const sent = await deliver(1000)
      assert.equal(sent.status, 200, sent.text)
      for (;;) {
        const intake = await send(`/v1/applications/${applicationId}/crashIntake`, { method: 'GET', headers })
        const { pendingCount }: { pendingCount: number } = JSON.parse(intake.text)
        if (pendingCount === 0) break
        await setTimeout(50)
      }
      await send(`/v1/applications/${applicationId}`, { method: 'DELETE', headers })
    })
  }
})
