/**
 * PostgreSQL on a small disk of its own, whose last byte another program takes. Writes are refused by name, nothing is
 * half written, what was acknowledged is there, and the server goes on by itself when there is room.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chown, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { writeApk } from '@fairlead/binary/fixture'
import { Client } from 'pg'
import { call, type CallOptions } from '../apps/server/src/testing/call-server.ts'
import { type Postgres, startPostgres } from '../scripts/postgres.ts'
import { waitUntil } from './processes/api.ts'
import { fillDisk } from './processes/fill-disk.ts'
import { openTemporaryFolder, startServerProcess, token } from './processes/server-process.ts'

const canMount = process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0

/** The statuses that a server may answer while its database cannot write, each with the title of its error. */
const refusals = new Map([
  [507, 'Insufficient Storage'],
  [503, 'Service Unavailable'],
])

describe('a full disk of PostgreSQL', { skip: !canMount && 'needs permission to mount a file system' }, () => {
  // PostgreSQL ends all connections, and perhaps itself, if the full disk holds its log of changes (WAL) too.
  for (const kind of ['its data', 'its data and its log'] as const) {
    it(`that holds ${kind} makes writes be refused by name, and they go on when there is room`, async (test) => {
      await using folder = await openTemporaryFolder()
      await using disk = await openTemporaryFolder()
      const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=128m', 'fairlead', disk.path])
      assert.equal(mounted.status, 0, String(mounted.stderr))
      await using surroundings = new AsyncDisposableStack()
      surroundings.defer(() => void spawnSync('umount', ['-l', disk.path]))
      const isWhole = kind === 'its data and its log'
      const postgres = await startPostgres(isWhole ? { keptIn: disk.path } : {})
      if (postgres === undefined) {
        assert.notEqual(process.env.CI, 'true', 'nothing may be left out here, and PostgreSQL is not installed')
        test.skip('needs PostgreSQL')
        return
      }
      surroundings.use(postgres)
      const databaseUrl = isWhole ? postgres.url : await createDatabaseOn(postgres, disk.path)
      const env = { FAIRLEAD_DATABASE_URL: databaseUrl, FAIRLEAD_LOG_LEVEL: 'error' }
      await using server = await startServerProcess({ dataDir: folder.path, env })
      const send = (method: string, path: string, options: CallOptions = {}) =>
        call(server.url, method, path, { token, ...options })
      const { json: application } = await send('POST', '/v1/applications', {
        json: { name: 'Full', alias: 'full', platform: 'android' },
      })
      const { json: key } = await send('POST', `/v1/applications/${application.id}/crashKeys`, {
        json: { name: 'Apps' },
      })

      const other = join(disk.path, 'other')
      fillDisk(other)
      // The first writes still fit.
      await truncate(other, (await stat(other)).size - 6 * 2 ** 20)
      const statuses = new Map<number, number>()
      const isTaken = ({ status, text }: { status: number; text: string }) => {
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status < 300) return true
        assert.ok(text.includes(refusals.get(status) ?? 'an expected error'), `${status} ${text}`)
        return false
      }
      /** The testers of each group; null where the database was gone before it said whether it had written them. */
      const members = new Map<number, number | null>()
      const builds: number[] = []
      let crashes = 0
      const fill = async (place: number) => {
        for (let round = 0; round < 60 && !statuses.has(507) && !statuses.has(503); round++) {
          const group = await send('POST', '/v1/distributionGroups', { json: { name: `group ${place} ${round}` } })
          if (!isTaken(group)) return
          const emails = Array.from({ length: 200 }, (_, at) => `${'a'.repeat(60)}-${place}-${round}-${at}@example.com`)
          const added = await send('POST', `/v1/distributionGroups/${group.json.id}/testers`, { json: { emails } })
          members.set(group.json.id, isTaken(added) ? emails.length : added.status === 503 ? null : 0)
          const body = writeApk({ packageName: 'com.example.full', versionCode: place * 1000 + round })
          const build = await send('POST', '/v2/builds', { headers: { 'X-Service-Application-Alias': 'full' }, body })
          if (isTaken(build)) builds.push(build.json.id)
          const event = { level: 'fatal', extra: { a: 'x'.repeat(50_000) }, exception: { values: [{ type: 'Error' }] } }
          const path = `/api/${application.id}/store/?sentry_key=${key.key}`
          if (isTaken(await send('POST', path, { token: null, json: event }))) crashes++
        }
      }
      await Promise.all([1, 2, 3, 4].map(fill))
      const said = JSON.stringify([...statuses])
      assert.ok(statuses.has(507) || (isWhole && statuses.has(503)), said)
      assert.equal((await send('GET', '/healthz')).status, 200)

      await rm(other)
      // A server of PostgreSQL that found no room for its log may have ended, and is then started again by its keeper.
      if (!(await isReachable(postgres.url))) postgres.restart()
      await waitUntil('the server is ready', async () => (await send('GET', '/readyz')).status === 200)
      for (const [id, count] of members) {
        const { json } = await send('GET', `/v1/distributionGroups/${id}/testers?limit=200`)
        assert.ok(count === null ? json.length === 0 || json.length === 200 : json.length === count, said)
      }
      // A write that was answered by 503 is there as a whole, or not at all.
      const uncertain = statuses.get(503) ?? 0
      const isAbout = (count: number, acknowledged: number) =>
        assert.ok(count >= acknowledged && count <= acknowledged + uncertain, `${count} of ${acknowledged}, ${said}`)
      const { json: allGroups } = await send('GET', '/v1/distributionGroups')
      isAbout(allGroups.length, members.size)
      for (const id of builds) assert.equal((await send('GET', `/v1/builds/${id}/binary`)).status, 200)
      const { json: listed } = await send('GET', `/v1/applications/${application.id}/builds?limit=200`)
      isAbout(listed.length, builds.length)
      await waitUntil('all crashes are read', async () => {
        const { json } = await send('GET', `/v1/applications/${application.id}/crashIntake`)
        return json.pendingCount === 0
      })
      const { json: groups } = await send('GET', `/v1/applications/${application.id}/crashGroups`)
      const counted = groups.reduce((sum: number, { crashCount }: { crashCount: number }) => sum + crashCount, 0)
      isAbout(counted, crashes)
      assert.ok(builds.length > 0 && crashes > 0, said)
      test.diagnostic(said)
      assert.equal((await send('POST', '/v1/distributionGroups', { json: { name: 'later' } })).status, 201)
    })
  }
})

/** Whether PostgreSQL answers, perhaps after it has recovered from its own end. */
async function isReachable(url: string): Promise<boolean> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const client = new Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select 1')
      return true
    } catch {
      await setTimeout(100)
    } finally {
      await client.end().catch(() => {})
    }
  }
  return false
}

/** Creates a database whose tables are on another disk than the rest of the cluster. */
async function createDatabaseOn({ url, folder }: Pick<Postgres, 'url' | 'folder'>, disk: string): Promise<string> {
  const { uid, gid } = await stat(folder)
  await chown(disk, uid, gid)
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`create tablespace small location '${disk}'`)
  await client.query('create database full_one tablespace small')
  await client.end()
  const created = new URL(url)
  created.pathname = '/full_one'
  return created.href
}
