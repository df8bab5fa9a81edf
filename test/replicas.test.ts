/**
 * Three replicas over one PostgreSQL and one S3 server behind nginx, under mixed load, while their parts fail: replicas
 * are killed and restarted, PostgreSQL and the S3 server are restarted, and the disk of a replica fills up.
 *
 * `FAIRLEAD_TEST_NEMESIS_SECONDS` makes it last longer than its short form, `FAIRLEAD_TEST_SEED` changes what happens,
 * and `FAIRLEAD_TEST_NEMESIS_FILES=true` lets the replicas share a data folder instead of the S3 server.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Mail } from '@fairlead/contract'
import { openFileStore } from '../apps/server/src/blobs/file-store.ts'
import { sweepOrphans } from '../apps/server/src/blobs/records.ts'
import { openS3Store } from '../apps/server/src/blobs/s3-store.ts'
import { openDatabase } from '../apps/server/src/db/open.ts'
import { parseS3Location } from '../apps/server/src/settings/s3-location.ts'
import { silentLog } from '../apps/server/src/testing/silent-log.ts'
import { type MailServer, startMailServer } from '../apps/server/src/testing/mail-server.ts'
import { callApi, toSha256, waitUntil } from './processes/api.ts'
import { createRandom, findSecret, type Ledger, startLoad } from './processes/mixed-load.ts'
import { type ReplicaSet, startReplicas } from './processes/replica-set.ts'
import { openTemporaryFolder } from './processes/server-process.ts'

const seconds = Number(process.env.FAIRLEAD_TEST_NEMESIS_SECONDS ?? 8)
const seed = Number(process.env.FAIRLEAD_TEST_SEED ?? 1)
const shareFolder = process.env.FAIRLEAD_TEST_NEMESIS_FILES === 'true'
const testers = ['ada@example.com', 'bob@example.com', 'carol@example.com']

describe('three replicas', () => {
  const opened = new AsyncDisposableStack()
  let set: ReplicaSet | undefined
  let mailServer: MailServer

  before(async () => {
    mailServer = opened.use(await startMailServer())
    const env = { FAIRLEAD_SMTP_URL: mailServer.url, FAIRLEAD_DATABASE_TIMEOUT_SECONDS: '10' }
    set = await startReplicas(3, { env, shareFolder })
    if (set) opened.use(set)
  })
  after(() => opened.disposeAsync())

  it('lose, duplicate and mix up nothing that they acknowledged while their parts fail', async (context) => {
    if (!set) {
      assert.notEqual(process.env.CI, 'true', 'nothing may be left out here, and PostgreSQL, Ceph or nginx is missing')
      context.skip('needs PostgreSQL, Ceph and nginx')
      return
    }
    const load = await startLoad(set.url, { clients: 6, seed, testers })
    await causeFailures(set)
    await load.stop()
    const { ledger } = load
    context.diagnostic(`${describeLoad(ledger, set)}; ${mailServer.mails.length} mails received`)

    assert.deepEqual(set.findEnded(), [], 'a replica ended by itself')
    assert.deepEqual(findServerErrors(set.output()), [])
    await checkBuilds(set, ledger)
    await checkSymbols(set, ledger)
    await checkMails(set, ledger)
    await checkOrphans(set)
    assert.deepEqual(ledger.faults, [])
  })

  /** Causes one failure after another until the time is over. Each is repaired before the next. */
  async function causeFailures(set: ReplicaSet): Promise<void> {
    const random = createRandom(seed)
    const endsAt = Date.now() + seconds * 1000
    const pauseMs = Math.min(20_000, (seconds * 1000) / 8)
    const anyReplica = () => Math.floor(random() * set.size)
    const failures: (() => Promise<unknown>)[] = [
      () => set.restart(anyReplica(), 'SIGKILL'),
      async () => set.postgres.restart(),
      () => set.restart(anyReplica(), 'SIGKILL'),
      async () => ('s3' in set.storage ? set.storage.s3.restart() : undefined),
      async () => {
        const free = await set.fillDisk()
        await setTimeout(pauseMs)
        await free?.()
      },
      async () => assert.equal(await set.restart(anyReplica(), 'SIGTERM'), 0, 'a replica did not end as it should'),
    ]
    for (let index = 0; index < failures.length || Date.now() < endsAt; index++) {
      await setTimeout(pauseMs * (0.5 + random()))
      await failures[index % failures.length]?.()
    }
    await setTimeout(pauseMs)
  }

  async function checkBuilds({ url }: ReplicaSet, ledger: Ledger): Promise<void> {
    assert.deepEqual([...ledger.unknown], [], 'a client got no answer for two minutes')
    const listed = new Map<number, string>()
    for (const id of ledger.applicationIds) {
      const { json: builds } = await callApi(url, 'GET', `/v1/applications/${id}/builds`)
      for (const build of builds) listed.set(build.id, build.sha256)
    }
    const byId = (builds: Map<number, string>) => [...builds].toSorted(([a], [b]) => a - b)
    assert.deepEqual(byId(listed), byId(ledger.builds))
    for (const [id, digest] of ledger.builds) {
      const { status, bytes } = await callApi(url, 'GET', `/v1/builds/${id}/binary`)
      assert.deepEqual([status, toSha256(bytes)], [200, digest], `build ${id}`)
    }
    for (const id of ledger.deleted) assert.equal((await callApi(url, 'GET', `/v1/builds/${id}`)).status, 404)
  }

  async function checkSymbols({ url }: ReplicaSet, ledger: Ledger): Promise<void> {
    const listed: string[] = []
    for (const id of ledger.applicationIds) {
      const { json: files } = await callApi(url, 'GET', `/v1/applications/${id}/symbolsFiles`)
      for (const { images } of files) listed.push(`${id} ${images[0].uuid}`)
    }
    assert.deepEqual(listed.toSorted(), [...ledger.symbols].toSorted())
  }

  /**
   * Checks that every mail is in the outbox once and was sent. When a replica is killed between sending a mail and
   * recording it, the mail goes out again, with the same Message-ID.
   */
  async function checkMails({ url }: ReplicaSet, ledger: Ledger): Promise<void> {
    const listMails = async (): Promise<Mail[]> => (await callApi(url, 'GET', '/v1/mails')).json
    await waitUntil('all mails are sent', async () => (await listMails()).every(({ status }) => status === 'sent'))
    const outbox = (await listMails()).map(({ recipient, text }) => `${recipient} ${findSecret(text)}`)
    assert.equal(outbox.length, new Set(outbox).size, 'a mail is in the outbox twice')
    for (const mail of ledger.mails) assert.ok(outbox.includes(mail), `${mail} is not in the outbox`)
    const received = new Set(
      mailServer.mails.map(({ decoded, recipients }) => `${recipients[0]} ${findSecret(decoded)}`),
    )
    for (const mail of outbox) assert.ok(received.has(mail), `${mail} did not go out`)
    const messageIds = new Set(mailServer.mails.map(({ raw }) => /^Message-ID: (\S+)/im.exec(raw)?.[1]))
    assert.equal(messageIds.size, outbox.length)
  }

  async function checkOrphans({ postgres, storage }: ReplicaSet): Promise<void> {
    await using folder = await openTemporaryFolder()
    const { db } = await openDatabase({ databaseUrl: postgres.url, dataDir: folder.path })
    await using _db = { [Symbol.asyncDispose]: () => db.destroy() }
    await using blobs = await openBlobs(storage, folder.path)
    await sweepOrphans({ blobs, db, log: silentLog }, Date.now() + 60_000)
    const stored: string[] = []
    for await (const { key } of blobs.list()) stored.push(key)
    const rows = await db.selectFrom('blobs').select(['key', 'reference_count']).execute()
    assert.deepEqual(stored.toSorted(), rows.map(({ key }) => key).toSorted())
    assert.ok(rows.every(({ reference_count }) => reference_count > 0))
  }
})

async function openBlobs(storage: ReplicaSet['storage'], cacheFolder: string) {
  if (!('s3' in storage)) return openFileStore(join(storage.folder, 'blobs'))
  Object.assign(process.env, storage.s3.environment)
  const location = parseS3Location(storage.url)
  assert.ok(typeof location !== 'string')
  return openS3Store(location, { cacheFolder, maxCacheBytes: 0 })
}

/** Returns the lines of the log about answers with status 500. */
function findServerErrors(output: string): string[] {
  return output.split('\n').filter((line) => line.includes('"status":500'))
}

function describeLoad(ledger: Ledger, set: ReplicaSet): string {
  const statuses = [...ledger.statuses].map(([key, count]) => `${key}: ${count}`).toSorted()
  const mails = `${ledger.mails.size} mails acknowledged`
  const kept = `${ledger.builds.size} builds kept, ${ledger.deleted.size} deleted, ${ledger.symbols.size} symbols`
  return `${set.size} replicas, seed ${seed}: ${statuses.join(', ')}; ${kept}, ${mails}`
}
