import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import { readConfig } from '../config.ts'
import { openDiskReserve } from '../blobs/disk-reserve.ts'
import { openFileStore } from '../blobs/file-store.ts'
import { openStaging } from '../blobs/staging.ts'
import { type Db, openDatabase } from '../db/open.ts'
import { invite, join as joinWorkspace } from '../testing/browser.ts'
import { createSecondWorkspace } from '../testing/second-workspace.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
import { uploadApk } from '../testing/upload.ts'
import { createDailyChores } from './daily.ts'

const day = 24 * 60 * 60 * 1000

describe('The daily chores', () => {
  let server: TestServer
  let db: Db

  before(async () => {
    server = await startServer()
    db = (await openDatabase({ databaseUrl: server.databaseUrl, dataDir: server.dataDir })).db
  })
  after(async () => {
    await db.destroy()
    await server[Symbol.asyncDispose]()
  })

  const run = async () => {
    const store = await openFileStore(join(server.dataDir, 'blobs'))
    const staging = await openStaging(join(server.dataDir, 'staging-of-chores'))
    const ballastPath = join(server.dataDir, 'ballast-of-chores')
    const reserve = await openDiskReserve({ folder: server.dataDir, ballastPath, bytes: 0 })
    const blobs = { ...store, staging, delivery: { kind: 'server' } as const, reserve }
    const config = readConfig({ FAIRLEAD_DATA_DIR: server.dataDir })
    const chores = createDailyChores({ db, blobs, config, log: pino({ level: 'silent' }) })
    return chores.run({}, new AbortController().signal)
  }

  it('delete builds that were in the trash for a week, with their bytes, and no others', async () => {
    const second = await createSecondWorkspace(server)
    const json = { name: 'Shop', alias: 'shop', platform: 'android' }
    for (const token of [server.token, second]) await server.call('POST', '/v1/applications', { token, json })
    const old = await uploadApk(server, { alias: 'shop' })
    const fresh = await uploadApk(server, { alias: 'shop', token: second, apk: { versionCode: 2 } })
    const live = await uploadApk(server, { alias: 'shop', apk: { versionCode: 3 } })
    const trash = (id: number, days: number) =>
      db
        .updateTable('builds')
        .set({ trashed_at: Date.now() - days * day })
        .where('id', '=', id)
        .execute()
    await trash(old.id, 7.1)
    await trash(fresh.id, 6.9)
    const next = await run()
    assert.ok(Math.abs((next ?? 0) - Date.now() - day) < 60_000)
    const left = await db.selectFrom('builds').select('id').orderBy('id').execute()
    assert.deepEqual(
      left.map(({ id }) => id),
      [fresh.id, live.id],
    )
    const blobs = await db.selectFrom('blobs').select('sha256').execute()
    assert.ok(!blobs.some(({ sha256 }) => sha256 === old.sha256))
    assert.equal((await server.call('GET', new URL(old.installUrl).pathname, { token: null })).status, 404)
    assert.equal((await server.call('GET', new URL(fresh.installUrl).pathname, { token: null })).status, 410)
  })

  it('delete expired rows and nothing else', async () => {
    await joinWorkspace(server, { email: 'ada@example.com', role: 'admin' })
    await joinWorkspace(server, { email: 'bob@example.com', role: 'admin' })
    await invite(server, { email: 'carol@example.com', role: 'viewer' })
    await invite(server, { email: 'dave@example.com', role: 'viewer' })
    const past = Date.now() - 1
    const oldest = (table: 'sessions' | 'invitations') => db.selectFrom(table).select('id').orderBy('id').limit(1)
    await db.updateTable('sessions').set({ expires_at: past }).where('id', '=', oldest('sessions')).execute()
    await db.updateTable('invitations').set({ expires_at: past }).where('id', '=', oldest('invitations')).execute()
    await db
      .updateTable('mails')
      .set({ created_at: Date.now() - 91 * day })
      .where('recipient', '=', 'ada@example.com')
      .execute()
    await run()
    assert.equal((await db.selectFrom('sessions').select('id').execute()).length, 1)
    assert.equal((await server.call('GET', '/v1/invitations')).json.length, 1)
    const mails: { recipient: string }[] = (await server.call('GET', '/v1/mails')).json
    assert.deepEqual(
      mails.map(({ recipient }) => recipient.split('@')[0]).toSorted((a = '', b = '') => a.localeCompare(b)),
      ['bob', 'carol', 'dave'],
    )
  })
})
