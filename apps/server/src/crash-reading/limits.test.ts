/** The limits that keep one application from filling the database or from holding up others. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { sql } from 'kysely'
import { openDiskReserve } from '../blobs/disk-reserve.ts'
import { openDatabase } from '../db/open.ts'
import { createCrashApplication, deliver, listAllCrashes, waitUntilRead } from '../testing/crashes.ts'
import { startServer } from '../testing/start-server.ts'
import { deleteOldCrashes } from './retention.ts'
import { toJsonText } from '../db/json-text.ts'

const dayMs = 24 * 60 * 60 * 1000

describe('limits of crashes', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())

  const toTrace = (method: string, message = 'x') =>
    `java.lang.Error: ${message}\n\tat org.tarn.Shop.${method}(S.java:1)`
  const openDb = async () => (await openDatabase({ databaseUrl: server.databaseUrl, dataDir: server.dataDir })).db
  const listGroups = async ({ id }: { id: number }): Promise<{ title: string; crashCount: number }[]> =>
    (await server.call('GET', `/v1/applications/${id}/crashGroups`)).json

  it('count stacks beyond 10,000 of a day in one shared stack, and known stacks as before', async () => {
    const app = await createCrashApplication(server, 'many-stacks')
    await deliver(server, app, 'raw', toTrace('known'))
    await waitUntilRead(server, app.id)
    const db = await openDb()
    await sql`
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 9999)
      insert into crash_stacks
        (application_id, hash, group_id, key_hash, content, resolved, first_seen_at, last_seen_at, created_at)
      select application_id, 'filling ' || n, group_id, key_hash, content, resolved, first_seen_at, last_seen_at,
        created_at
      from crash_stacks, numbers where application_id = ${app.id}`.execute(db)
    await db.destroy()
    for (const method of ['one', 'two', 'three']) await deliver(server, app, 'raw', toTrace(method))
    await deliver(server, app, 'raw', toTrace('known', 'y'))
    const { json: intake } = await waitUntilRead(server, app.id)
    assert.deepEqual(intake.droppedCounts, { 'stacks over the daily limit': 3 })
    const groups = await listGroups(app)
    const counts = Object.fromEntries(groups.map(({ title, crashCount }) => [title, crashCount]))
    assert.deepEqual(counts, { 'Too many different stacks in one day': 3, 'java.lang.Error': 2 })
  })

  it('delete crashes after 90 days with their reports, and keep counts', async () => {
    const app = await createCrashApplication(server, 'aged')
    for (const message of ['old', 'new']) await deliver(server, app, 'raw', toTrace('age', message))
    await waitUntilRead(server, app.id)
    const crashes = await listAllCrashes(server, app.id)
    const old = crashes.find(({ exceptions }) => exceptions[0].message === 'old')
    const db = await openDb()
    const ballastPath = join(server.dataDir, 'ballast-of-the-test')
    const reserve = await openDiskReserve({ folder: server.dataDir, ballastPath, bytes: 0 })
    const deleteOld = () => deleteOldCrashes({ db, blobs: { reserve } }, Date.now(), AbortSignal.timeout(60_000))
    const setAge = (days: number) =>
      db
        .updateTable('crashes')
        .set({ received_at: Date.now() - days * dayMs })
        .where('id', '=', old.id)
        .execute()
    await setAge(89)
    // Crashes are deleted from the oldest on, and this one is not the oldest of the server.
    await db.deleteFrom('crashes').where('application_id', '!=', app.id).execute()
    assert.equal(await deleteOld(), 0)
    await setAge(91)
    assert.equal(await deleteOld(), 1)
    const reports = await db.selectFrom('crash_reports').select('crash_id').where('crash_id', '=', old.id).execute()
    await db.destroy()
    assert.deepEqual(reports, [])
    assert.equal((await server.call('GET', `/v1/crashes/${old.id}`)).status, 404)
    const [left, ...others] = await listAllCrashes(server, app.id)
    assert.deepEqual([left.exceptions[0].message, others.length], ['new', 0])
    assert.equal((await listGroups(app))[0]?.crashCount, 2)
    const { json } = await server.call('GET', `/v1/crashGroups/${left.groupId}/statistics`)
    assert.deepEqual(json.stacks, [{ id: left.stackId, crashCount: 2, firstCrashId: left.id, isPinned: false }])
  })

  it('read the crash of one application before the backlog of another that floods', async () => {
    const flooding = await createCrashApplication(server, 'flooding')
    const other = await createCrashApplication(server, 'quiet')
    const db = await openDb()
    const rows = Array.from({ length: 1500 }, (_, place) => ({
      application_id: flooding.id,
      protocol: 'report' as const,
      encoding: null,
      options: toJsonText({}),
      body: Buffer.from(toTrace(`flood${place}`)),
      received_at: Date.now(),
    }))
    for (let at = 0; at < rows.length; at += 100) {
      await db
        .insertInto('crash_inbox')
        .values(rows.slice(at, at + 100))
        .execute()
    }
    await db.destroy()
    await deliver(server, other, 'raw', toTrace('calm'))
    await waitUntilRead(server, other.id)
    const { json } = await server.call('GET', `/v1/applications/${flooding.id}/crashIntake`)
    assert.ok(json.pendingCount > 500, `${json.pendingCount} of the flood are pending`)
    assert.equal((await listGroups(other))[0]?.crashCount, 1)
  })
})
