/** Tests concurrent requests that write the same rows, on two replicas over PostgreSQL and on the embedded database. */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { startPostgres } from '../scripts/postgres.ts'
import { callApi, createApk, createApplication, uploadBuild } from './processes/api.ts'
import { openTemporaryFolder, type ServerProcess, startServerProcess } from './processes/server-process.ts'

const mapping = `# compiler: R8
# compiler_version: 8.2.47
# pg_map_id: 0123abc
com.example.Shop -> a:
    1:1:void open():10:10 -> a
`

describe('concurrent writes over PostgreSQL', () => testConcurrentWrites(true))
describe('concurrent writes over the embedded database', () => testConcurrentWrites(false))

function testConcurrentWrites(usesPostgres: boolean): void {
  const opened = new AsyncDisposableStack()
  let servers: ServerProcess[] = []
  let dataDir = ''

  before(async () => {
    dataDir = opened.use(await openTemporaryFolder()).path
    if (!usesPostgres) {
      servers = [opened.use(await startServerProcess({ dataDir }))]
      return
    }
    const postgres = await startPostgres()
    if (!postgres) return
    opened.use(postgres)
    const env = { FAIRLEAD_DATABASE_URL: postgres.url, FAIRLEAD_LOG_LEVEL: 'warn' }
    for (let replica = 0; replica < 2; replica++) {
      servers.push(opened.use(await startServerProcess({ dataDir, env })))
    }
  })
  after(() => opened.disposeAsync())

  let calls = 0
  /** Returns the URLs of the replicas in turn. */
  const url = () => servers[calls++ % servers.length]?.url ?? ''
  const test = (name: string, run: () => Promise<void>) =>
    it(name, async (context) => {
      if (servers.length > 0) return run()
      assert.notEqual(process.env.CI, 'true', 'nothing may be left out here, and PostgreSQL is missing')
      context.skip('needs PostgreSQL')
    })

  void test('uploads and deletions of builds and applications that share an icon are never refused', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const alias = `shared-${usesPostgres}-${index % 4}-${index}`
        const packageName = `com.example.shared${index}`
        const applicationId = await createApplication(url(), alias)
        const seen: number[] = []
        for (let round = 0; round < 3; round++) {
          const apk = () => createApk({ packageName, icon: undefined })
          const uploads = await Promise.all([1, 2, 3].map(() => uploadBuild(url(), alias, apk())))
          const removals = uploads.map(({ json }) => callApi(url(), 'DELETE', `/v1/builds/${json.id}`))
          const answers = await Promise.all([...removals, uploadBuild(url(), alias, apk())])
          seen.push(...[...uploads, ...answers].map(({ status }) => status))
        }
        seen.push((await callApi(url(), 'DELETE', `/v1/applications/${applicationId}`)).status)
        return seen
      }),
    )
    assert.deepEqual(new Set(statuses.flat()), new Set([201, 204]))
    assert.deepEqual(globSync('blobs/*/*', { cwd: dataDir }), [])
  })

  void test('two first uploads of an application at once are both accepted', async () => {
    for (let pair = 0; pair < 8; pair++) {
      const alias = `first-${pair}`
      await createApplication(url(), alias)
      const upload = () => uploadBuild(url(), alias, createApk({ packageName: `com.example.first${pair}` }))
      const answers = await Promise.all([upload(), upload()])
      assert.deepEqual(
        answers.map(({ status, json }) => [status, json.detail]),
        [
          [201, undefined],
          [201, undefined],
        ],
      )
    }
  })

  void test('uploads during the deletion of their application leave no bytes behind', async () => {
    const filesBefore = globSync('blobs/*/*', { cwd: dataDir }).length
    for (let round = 0; round < 5; round++) {
      const alias = `deleted-${round}`
      const packageName = `com.example.deleted${round}`
      const id = await createApplication(url(), alias)
      const uploads = Array.from({ length: 6 }, () => uploadBuild(url(), alias, createApk({ packageName })))
      await Promise.race(uploads)
      const [removed, ...answers] = await Promise.all([callApi(url(), 'DELETE', `/v1/applications/${id}`), ...uploads])
      assert.equal(removed?.status, 204)
      for (const { status } of answers) assert.ok(status === 201 || status === 404, `an upload was answered ${status}`)
    }
    assert.equal(globSync('blobs/*/*', { cwd: dataDir }).length, filesBefore)
  })

  void test('a distribution during deletions succeeds or names what was deleted', async () => {
    await createApplication(url(), 'distributed')
    for (let round = 0; round < 5; round++) {
      const build = await uploadBuild(url(), 'distributed', createApk({ packageName: 'com.example.distributed' }))
      const { json: group } = await callApi(url(), 'POST', '/v1/distributionGroups', {
        json: { name: `Round ${round}` },
      })
      const emails = Array.from({ length: 30 }, (_, index) => `tester${index}.${round}@example.com`)
      const path = `/v1/distributionGroups/${group.id}/testers`
      const { json: testers } = await callApi(url(), 'POST', path, { json: { emails } })
      const distribute = () =>
        callApi(url(), 'POST', `/v1/builds/${build.json.id}/distribute`, {
          json: { distributionGroupIds: [group.id], notifyTesters: true },
        })
      const [first, ...removals] = await Promise.all([
        distribute(),
        ...testers.slice(0, 10).map(({ id }: { id: number }) => callApi(url(), 'DELETE', `/v1/testers/${id}`)),
      ])
      assert.ok(first.status < 300, `the distribution was answered ${first.status}`)
      assert.deepEqual(new Set(removals.map(({ status }) => status)), new Set([204]))
      const [second, removed] = await Promise.all([
        distribute(),
        callApi(
          url(),
          'DELETE',
          round % 2 === 0 ? `/v1/builds/${build.json.id}` : `/v1/distributionGroups/${group.id}`,
        ),
      ])
      assert.equal(removed.status, 204)
      assert.ok(second.status < 300 || second.status === 404 || second.status === 422, `it was ${second.status}`)
    }
  })

  void test('downloads during the deletion of their build get the whole file or 404', async () => {
    await createApplication(url(), 'downloaded')
    for (let round = 0; round < 5; round++) {
      const apk = createApk({ packageName: 'com.example.downloaded' })
      const { json: build } = await uploadBuild(url(), 'downloaded', apk)
      const downloads = Array.from({ length: 8 }, () => callApi(url(), 'GET', `/v1/builds/${build.id}/binary`))
      const [removed, ...answers] = await Promise.all([
        callApi(url(), 'DELETE', `/v1/builds/${build.id}`),
        ...downloads,
      ])
      assert.equal(removed.status, 204)
      for (const { status, bytes } of answers) {
        if (status === 200) assert.ok(bytes.equals(apk))
        else assert.equal(status, 404)
      }
    }
  })

  void test('equal symbols that are sent at the same time are stored once', async () => {
    const id = await createApplication(url(), 'symbols')
    const upload = () =>
      callApi(url(), 'POST', '/v2/symbolsFiles', {
        body: new TextEncoder().encode(mapping),
        headers: {
          'X-Service-Application-Alias': 'symbols',
          'X-Service-Package': 'com.example.symbols',
          'X-Service-Version-Name': '1.0',
          'X-Service-Version-Code': '7',
        },
      })
    const answers = await Promise.all([upload(), upload(), upload(), upload(), upload(), upload()])
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
    const { json: files } = await callApi(url(), 'GET', `/v1/applications/${id}/symbolsFiles`)
    assert.equal(files.length, 1)
  })
}
