import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { sql } from 'kysely'
import { openDiskReserve } from '../blobs/disk-reserve.ts'
import { openDatabase } from '../db/open.ts'
import { createCrashApplication, deliver, listAllCrashes, waitUntilRead } from '../testing/crashes.ts'
import { startServer } from '../testing/start-server.ts'
import { deleteOldCrashes } from './retention.ts'

const dayMs = 24 * 60 * 60 * 1000

describe('a group of crashes that grows old', async () => {
  const server = await startServer()
  const { db } = await openDatabase({ databaseUrl: server.databaseUrl, dataDir: server.dataDir })
  const ballastPath = join(server.dataDir, 'ballast-of-chores')
  const reserve = await openDiskReserve({ folder: server.dataDir, ballastPath, bytes: 0 })
  after(async () => {
    await db.destroy()
    await server[Symbol.asyncDispose]()
  })
  const age = (days: number) =>
    deleteOldCrashes({ db, blobs: { reserve } }, Date.now() + days * dayMs, AbortSignal.timeout(60_000))
  const listMessages = async (app: { id: number }): Promise<string[]> =>
    (await listAllCrashes(server, app.id)).map(({ exceptions }) => exceptions[0].message)
  /** The line belongs to the stack, and not to the key of the group. */
  const toTrace = (message: string, line: number) =>
    `java.lang.Error: ${message}\n\tat org.tarn.Shop.pay(Shop.java:${line})\n\tat org.tarn.Main.run(M.java:1)\n`

  it('keeps the newest report of its most frequent stack, and other crashes for 90 days', async () => {
    const app = await createCrashApplication(server, 'lasting')
    const other = await createCrashApplication(server, 'other')
    const send = async (message: string, line: number) => {
      assert.equal((await deliver(server, app, 'raw', toTrace(message, line))).status, 202)
      await waitUntilRead(server, app.id)
    }
    await send('often 1', 1)
    await send('often 2', 1)
    await send('rare', 2)
    await deliver(server, other, 'raw', toTrace('alone', 1))
    await waitUntilRead(server, other.id)
    assert.equal(await age(89), 0)
    assert.deepEqual(new Set(await listMessages(app)), new Set(['often 1', 'often 2', 'rare']))

    assert.equal(await age(91), 2)
    assert.equal(await age(500), 0)
    const [left, ...others] = await listAllCrashes(server, app.id)
    assert.equal(others.length, 0)
    assert.deepEqual([left.exceptions[0].message, left.frames.length], ['often 2', 2])
    const threads = await server.call('GET', `/v1/crashes/${left.id}/threads`)
    assert.equal(threads.status, 200, threads.text)
    const [group] = (await server.call('GET', `/v1/applications/${app.id}/crashGroups`)).json
    assert.equal(group.crashCount, 3)
    const { json } = await server.call('GET', `/v1/crashGroups/${group.id}/statistics`)
    assert.deepEqual(
      json.stacks.map((stack: { crashCount: number; firstCrashId: number | null }) => [
        stack.crashCount,
        stack.firstCrashId,
      ]),
      [
        [2, left.id],
        [1, null],
      ],
    )
    assert.deepEqual(await listMessages(other), ['alone'])

    // Another stack becomes the most frequent one.
    await send('rare', 2)
    await send('now often', 2)
    assert.equal(await age(91), 2)
    assert.deepEqual(await listMessages(app), ['now often'])
    assert.equal((await server.call('DELETE', `/v1/crashGroups/${group.id}`)).status, 204)
    assert.deepEqual(await listMessages(app), [])
    assert.deepEqual(await listMessages(other), ['alone'])
  })

  it('is not asked for again by later deletions', async () => {
    const app = await createCrashApplication(server, 'many')
    const sendGroups = async (from: number, to: number) => {
      for (let number = from; number < to; number++) {
        await deliver(server, app, 'raw', toTrace('x', 1).replace('pay', `pay${String.fromCodePoint(97 + number)}`))
      }
      await waitUntilRead(server, app.id)
    }
    let queries = 0
    const counted = db.withPlugin({
      transformQuery({ node }) {
        queries++
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const countQueries = async () => {
      queries = 0
      const context = { db: counted, blobs: { reserve } }
      assert.equal(await deleteOldCrashes(context, Date.now() + 91 * dayMs, AbortSignal.timeout(60_000)), 0)
      return queries
    }
    await sendGroups(0, 3)
    await age(91)
    const withFew = await countQueries()
    await sendGroups(3, 12)
    await age(91)
    assert.equal(await countQueries(), withFew)
    assert.equal((await listAllCrashes(server, app.id)).length, 12)
    // Nor are they read: those that are marked are in none of the index's entries.
    const { rows } = await sql<{ count: number }>`select count(*) as count from crashes where is_lasting = 0`.execute(
      db,
    )
    assert.equal(Number(rows[0]?.count), 0)
  })

  it('keeps one crash when it is merged with another group', async () => {
    const app = await createCrashApplication(server, 'merged')
    for (const [type, message] of [
      ['Pear', 'rare'],
      ['Plum', 'often 1'],
      ['Plum', 'often 2'],
    ] as const) {
      await deliver(server, app, 'raw', toTrace(message, 1).replace('lang.Error', `lang.${type}Error`))
      await waitUntilRead(server, app.id)
    }
    await age(91)
    const groups = (await server.call('GET', `/v1/applications/${app.id}/crashGroups`)).json
    const [into, from] = groups.map(({ id }: { id: number }) => id)
    assert.equal((await listMessages(app)).length, 2)
    const body = { groupIds: [from] }
    assert.equal((await server.call('POST', `/v1/crashGroups/${into}/merge`, { json: body })).status, 200)
    assert.equal(await age(91), 1)
    assert.deepEqual(await listMessages(app), ['often 2'])
  })

  it('keeps none of an installation that was deleted', async () => {
    const app = await createCrashApplication(server, 'forgotten')
    const path = `/v1/applications/${app.id}/crashes`
    for (const [install, message] of [
      ['a', 'first'],
      ['b', 'second'],
    ] as const) {
      const headers = { 'X-Service-Crash-Key': app.key, 'X-Service-Install-Id': install }
      await server.call('POST', path, { token: null, headers, body: Buffer.from(toTrace(message, 1)) })
      await waitUntilRead(server, app.id)
    }
    await age(91)
    assert.deepEqual(await listMessages(app), ['second'])
    assert.equal((await server.call('DELETE', `${path}?installId=b`)).status, 204)
    assert.deepEqual(await listMessages(app), [])
    assert.equal((await server.call('GET', `/v1/applications/${app.id}/crashGroups`)).json[0].crashCount, 2)
  })
})
