/**
 * Fills a small disk with each kind of write, eight at a time, and watches the free space: the reserve stays whole.
 * Then another program takes the last byte. What was acknowledged is read while the disk is full and afterwards, what
 * is refused is refused by name, deleting makes room, and everything goes on without a restart. The disk holds files
 * and log, and on the embedded database that too.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readFile, rm, stat, statfs, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { writeApk } from '@fairlead/binary/fixture'
import { createTestDatabase } from '../apps/server/src/testing/test-database.ts'
import { toSha256, waitUntil } from './processes/api.ts'
import { fillDisk } from './processes/fill-disk.ts'
import { openTemporaryFolder, type ServerProcess, startServerProcess, token } from './processes/server-process.ts'

const mebibyte = 2 ** 20
const reserve = 16 * mebibyte
/** What the database itself may write of the reserve: that is what the reserve is for. */
const ownWrites = 4 * mebibyte
const headers = { 'X-Service-Token': token, 'X-Service-Application-Alias': 'full' }
const tus = { ...headers, 'Tus-Resumable': '1.0.0' }

const canMount = process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0

/** A write, and how to see later that what was acknowledged of it is there. */
interface Written {
  status: number
  text: string
  check?: () => Promise<void>
}

/** The statuses that a server may answer while its disk is full, each with the title of its error. */
const refusals = new Map([
  [507, 'Insufficient Storage'],
  [503, 'Service Unavailable'],
])

describe('a small disk', { skip: !canMount && 'needs permission to mount a file system' }, () => {
  const opened = new AsyncDisposableStack()
  let folder: string
  let server: ServerProcess
  let isEmbedded: boolean
  let applicationId: number
  let key: string

  before(async () => {
    folder = opened.use(await openTemporaryFolder()).path
    const database = opened.use(await createTestDatabase())
    isEmbedded = database.url === null
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'fairlead', folder])
    assert.equal(mounted.status, 0, String(mounted.stderr))
    opened.defer(() => void spawnSync('umount', ['-l', folder]))
    const env = {
      FAIRLEAD_DISK_RESERVE_BYTES: String(reserve),
      ...(database.url !== null && { FAIRLEAD_DATABASE_URL: database.url }),
    }
    server = opened.use(await startServerProcess({ dataDir: folder, env, stdout: join(folder, 'server.log') }))
  })
  after(() => opened.disposeAsync())

  const send = async (path: string, options: RequestInit & { duplex?: 'half' } = {}) => {
    const answer = await fetch(server.url + path, { method: 'POST', ...options })
    const bytes = Buffer.from(await answer.arrayBuffer())
    return { status: answer.status, text: bytes.toString(), bytes, headers: answer.headers }
  }
  const sendJson = (method: string, path: string, value: unknown) =>
    send(path, { method, headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(value) })
  const create = async (path: string, value: unknown) => {
    const { status, text } = await sendJson('POST', path, value)
    assert.equal(status, 201, text)
    const created: { id: number; key: string } = JSON.parse(text)
    return created
  }
  const read = async <Content>(path: string): Promise<Content> => {
    const { status, text } = await send(path, { method: 'GET', headers })
    assert.equal(status, 200, `${path} ${text}`)
    const content: Content = JSON.parse(text)
    return content
  }
  const readFree = async () => {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  }
  beforeEach(async () => {
    for (const name of ['last', 'other']) await rm(join(folder, name), { force: true })
    for (const { id } of await read<{ id: number }[]>('/v1/applications')) await deleteApplication(id)
    await createApplication()
  })
  const createApplication = async () => {
    const { id } = await create('/v1/applications', { name: 'Full', alias: 'full', platform: 'android' })
    applicationId = id
    key = (await create(`/v1/applications/${id}/crashKeys`, { name: 'Apps' })).key
  }
  const deleteApplication = async (id: number) => {
    const { status, text } = await send(`/v1/applications/${id}`, { method: 'DELETE', headers })
    assert.equal(status, 204, text)
  }
  /** The length of a streamed body is not known before. */
  const stream = (bytes: Uint8Array<ArrayBuffer>) => {
    const pieces = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, at) =>
      bytes.subarray(at * 65_536, (at + 1) * 65_536),
    )
    return { body: ReadableStream.from(pieces), duplex: 'half' as const }
  }
  const uploadBuild = async (size: number): Promise<Written> => {
    const files = [{ name: 'assets/data', data: randomBytes(size) }]
    const apk = new Uint8Array(writeApk({ packageName: 'com.example.full', icon: null, files }))
    const sha256 = toSha256(apk)
    const answer = await send('/v2/builds', { headers, ...stream(apk) })
    if (answer.status !== 201) return answer
    const { id }: { id: number } = JSON.parse(answer.text)
    const check = async () => {
      const { status, bytes } = await send(`/v1/builds/${id}/binary`, { method: 'GET', headers })
      assert.deepEqual([status, toSha256(bytes)], [200, sha256])
    }
    return { ...answer, check }
  }
  const deliver = (size: number) => {
    const filler = randomBytes(size / 2).toString('hex')
    const event = JSON.stringify({ level: 'fatal', exception: { values: [{ type: 'Error' }] } })
    const items = [`{"type":"event","length":${event.length}}\n${event}`, `{"type":"attachment"}\n${filler}`]
    return send(`/api/${applicationId}/envelope/?sentry_key=${key}`, { body: ['{}', ...items].join('\n') })
  }
  const waitUntilRead = () =>
    waitUntil('all crashes are read', async () => {
      const path = `/v1/applications/${applicationId}/crashIntake`
      return (await read<{ pendingCount: number }>(path)).pendingCount === 0
    })
  const countCrashes = async () => {
    const groups = await read<{ crashCount: number }[]>(`/v1/applications/${applicationId}/crashGroups`)
    return groups.reduce((sum, { crashCount }) => sum + crashCount, 0)
  }
  const kinds: Record<string, () => Promise<Written>> = {
    builds: () => uploadBuild(12 * mebibyte),
    'parts of uploads': async () => {
      const length = String(12 * mebibyte)
      const started = await send('/v2/uploads', { headers: { ...tus, 'Upload-Length': length } })
      if (started.status !== 201) return started
      const location = started.headers.get('location') ?? ''
      const type = { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0' }
      const body = stream(new Uint8Array(randomBytes(11 * mebibyte)))
      const answer = await send(location, { method: 'PATCH', headers: { ...tus, ...type }, ...body })
      if (answer.status !== 204) return answer
      const check = async () => {
        const { headers: known } = await send(location, { method: 'HEAD', headers: tus })
        assert.equal(known.get('upload-offset'), String(11 * mebibyte))
      }
      return { ...answer, check }
    },
    chunks: async () => {
      const chunk = randomBytes(2 * mebibyte)
      const sha1 = createHash('sha1').update(chunk).digest('hex')
      const part = `--b\r\nContent-Disposition: form-data; name="file"; filename="${sha1}"\r\n\r\n`
      const body = new Uint8Array(Buffer.concat([Buffer.from(part), chunk, Buffer.from('\r\n--b--\r\n')]))
      const authorization = { Authorization: `Bearer ${token}` }
      const type = { ...authorization, 'Content-Type': 'multipart/form-data; boundary=b' }
      const answer = await send('/api/0/organizations/any/chunk-upload/', { headers: type, body })
      if (answer.status !== 200) return answer
      const check = async () => {
        const other = '0'.repeat(40)
        const question = JSON.stringify({ [other]: { name: 'x', chunks: [sha1, other] } })
        const path = '/api/0/projects/any/full/files/difs/assemble/'
        const { text } = await send(path, { headers: authorization, body: question })
        assert.deepEqual(JSON.parse(text)[other].missingChunks, [other], text)
      }
      return { ...answer, check }
    },
    'test reports': async () => {
      const output = randomBytes(3 * mebibyte).toString('hex')
      const cases = Array.from({ length: 8 }, (_, at) => {
        const text = output.slice(at * 700_000, (at + 1) * 700_000)
        const outcome = `<failure message="x">y</failure><system-out>${text}</system-out>`
        return `<testcase name="c${at}" classname="b">${outcome}</testcase>`
      })
      const body = `<testsuite name="unit">${cases.join('')}</testsuite>`
      const branch = { ...headers, 'X-Service-Branch': `b${randomBytes(4).toString('hex')}` }
      const answer = await send('/v1/testReports', { headers: branch, ...stream(new TextEncoder().encode(body)) })
      if (answer.status !== 201) return answer
      const { run }: { run: { id: number } } = JSON.parse(answer.text)
      const check = async () => {
        const { counts } = await read<{ counts: { failed: number } }>(`/v1/testRuns/${run.id}`)
        assert.equal(counts.failed, 8)
      }
      return { ...answer, check }
    },
    symbols: async () => {
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
      const answer = await send('/v2/symbolsFiles', { headers: named, body: mapping })
      if (answer.status !== 201) return answer
      const path = `/v1/applications/${applicationId}/symbolsFiles?limit=200`
      const check = async () => {
        const listed = await read<{ version: string; sha256: string }[]>(path)
        assert.equal(listed.find((file) => file.version === version)?.sha256, toSha256(Buffer.from(mapping)))
      }
      return { ...answer, check }
    },
    crashes: () => deliver(900_000),
  }

  // This is the first test, because a database that was larger has free pages.
  it('may be filled by the rows of the database, each of which is there or was refused', async () => {
    fillDisk(join(folder, 'other'))
    const counts = new Map<number, number>()
    const statuses = new Map<number, number>()
    const fill = async (group: number) => {
      for (let round = 0; round < (isEmbedded ? 40 : 2); round++) {
        const name = `group ${group} ${round}`
        const { status, text } = await sendJson('POST', '/v1/distributionGroups', { name })
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status !== 201) return
        const { id }: { id: number } = JSON.parse(text)
        const emails = Array.from({ length: 200 }, (_, at) => `${'a'.repeat(60)}-${group}-${round}-${at}@example.com`)
        const added = await sendJson('POST', `/v1/distributionGroups/${id}/testers`, { emails })
        statuses.set(added.status, (statuses.get(added.status) ?? 0) + 1)
        counts.set(id, added.status < 300 ? emails.length : 0)
        if (added.status < 300) continue
        assert.equal(JSON.parse(added.text).title, refusals.get(added.status), added.text)
        return
      }
    }
    await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(fill))
    const said = JSON.stringify([...statuses])
    if (isEmbedded) assert.ok(statuses.has(507), said)
    for (const status of statuses.keys()) assert.ok(status < 300 || refusals.has(status), said)
    const checkAll = async () => {
      for (const [id, count] of counts) {
        const testers = await read<unknown[]>(`/v1/distributionGroups/${id}/testers?limit=200`)
        assert.equal(testers.length, count, said)
      }
    }
    await checkAll()
    await rm(join(folder, 'other'))
    await checkAll()
    assert.equal((await sendJson('POST', '/v1/distributionGroups', { name: 'later' })).status, 201)
  })

  for (const [name, write] of Object.entries(kinds)) {
    it(`keeps its reserve while it is filled with ${name}, and goes on when there is room again`, async () => {
      let least = Infinity
      const full = new AbortController()
      const statuses = new Map<number, number>()
      const acknowledged: Written[] = []
      const watch = async () => {
        while (!full.signal.aborted) {
          least = Math.min(least, await readFree())
          await setTimeout(1)
        }
      }
      const watching = watch()
      // Another program leaves little room, so that every kind reaches the end soon.
      const room = (await readFree()) - reserve - 24 * mebibyte
      await writeFile(join(folder, 'other'), randomBytes(Math.max(0, room)))
      const writeOnce = async () => {
        const written = await write()
        statuses.set(written.status, (statuses.get(written.status) ?? 0) + 1)
        if (written.status < 300) acknowledged.push(written)
        return written.status
      }
      const fill = async () => {
        for (let round = 0; round < 12; round++) if ((await writeOnce()) === 507) return
      }
      // Eight large ones at once may all be refused.
      await writeOnce()
      await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(fill))
      full.abort()
      await watching
      const said = JSON.stringify([...statuses])
      for (const status of statuses.keys())
        assert.ok(status < 300 || status === 507 || status === 503 || status === 429, said)
      assert.ok(least > reserve - ownWrites, `${least} bytes were left, ${said}`)
      // Crashes are read while they arrive, so their disk need not be full in the end. Over PostgreSQL they, and the
      // results of tests, are not on the disk.
      const isOnDisk = isEmbedded || name !== 'test reports'
      if (name !== 'crashes' && isOnDisk) assert.ok(statuses.has(507), said)
      assert.ok(acknowledged.length > 0, said)

      fillDisk(join(folder, 'last'))
      const refused = await Promise.all([write(), uploadBuild(1000), write()])
      for (const { status, text } of refused) {
        if (status < 300) continue
        assert.equal(JSON.parse(text).title, refusals.get(status), `${status} ${text}`)
      }
      assert.equal(refused[1].status, 507)
      for (const { check } of acknowledged) await check?.()
      await rm(join(folder, 'last'))

      await rm(join(folder, 'other'))
      await waitUntilRead()
      for (const { check } of acknowledged) await check?.()
      if (name === 'crashes') {
        const taken = [...acknowledged, ...refused].filter(({ status, text }) => status === 200 && text.includes('id'))
        assert.equal(await countCrashes(), taken.length)
      }
      await writeFile(join(folder, 'other'), randomBytes(Math.max(0, (await readFree()) - reserve + mebibyte)))
      await deleteApplication(applicationId)
      await rm(join(folder, 'other'))
      await createApplication()
      const again = await uploadBuild(mebibyte)
      assert.equal(again.status, 201, again.text)
      await again.check?.()
      const sent = await deliver(1000)
      assert.equal(sent.status, 200, sent.text)
      await waitUntilRead()
    })
  }

  it('may be filled by the log, whose lines are lost until there is room, and nothing else is', async () => {
    const build = await uploadBuild(1000)
    await writeFile(join(folder, 'other'), randomBytes(Math.max(0, (await readFree()) - mebibyte)))
    const log = join(folder, 'server.log')
    const before = (await stat(log)).size
    // A line of the log holds the path that was asked for.
    const ask = async () => {
      while ((await readFree()) > 0) await send(`/v1/${'p'.repeat(8000)}`, { method: 'GET', headers })
    }
    await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(ask))
    assert.ok((await stat(log)).size > before + mebibyte / 2, 'the log did not fill the disk')
    assert.equal((await uploadBuild(1000)).status, 507)
    await build.check?.()
    const applications = await read<unknown[]>('/v1/applications')
    assert.equal(applications.length, 1)
    // As `logrotate` does with `copytruncate`.
    await truncate(log, 0)
    await rm(join(folder, 'other'))
    const again = await uploadBuild(1000)
    assert.equal(again.status, 201, again.text)
    for (const { check } of [build, again]) await check?.()
    await send('/v1/later', { method: 'GET', headers })
    await waitUntil('the log goes on', async () => (await readFile(log, 'utf8')).includes('/v1/later'))
  })
})
