import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { ApiError } from '@fairlead/contract'
import { openDatabase } from '../db/open.ts'
import { createCrashApplication, deliver, listAllCrashes, waitUntilRead } from '../testing/crashes.ts'
import { startServer } from '../testing/start-server.ts'
import { createInboxRoom } from './inbox-room.ts'

describe('the inbox of crashes', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const trace = 'java.lang.Error: x\n\tat org.tarn.Shop.open(S.java:1)'

  it('refuses deliveries to an application that was just deleted, and keeps those that arrive with them', async () => {
    const deleted = await createCrashApplication(server, 'deleted')
    const other = await createCrashApplication(server, 'other')
    assert.equal((await deliver(server, deleted, 'raw', trace)).status, 202)
    await waitUntilRead(server, deleted.id)
    assert.equal((await server.call('DELETE', `/v1/applications/${deleted.id}`)).status, 204)
    const applications = [other, deleted, other, deleted, other]
    const sent = applications.map((app, place) => deliver(server, app, 'raw', `${trace}\n\tat a.B.c(B.java:${place})`))
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    assert.deepEqual([statuses[0], statuses[2], statuses[4]], [202, 202, 202])
    for (const place of [1, 3]) assert.ok([401, 403, 404].includes(statuses[place] ?? 0), String(statuses[place]))
    await waitUntilRead(server, other.id)
    assert.equal((await listAllCrashes(server, other.id)).length, 3)
  })

  it('takes only so many bytes that wait, of one application and of all, until they have been read', async () => {
    const { db } = await openDatabase(server)
    await using _db = { [Symbol.asyncDispose]: () => db.destroy() }
    const room = createInboxRoom(db, { maxBytesOfApplication: 600, maxBytes: 1000 })
    const isOverloaded = (error: unknown) => {
      assert.ok(error instanceof ApiError, String(error))
      assert.deepEqual([error.status, error.headers?.['retry-after']], [503, '60'])
      return true
    }
    await room.take(1, 500)
    await assert.rejects(room.take(1, 200), isOverloaded)
    await room.take(2, 400)
    await assert.rejects(room.take(3, 200), isOverloaded)
    await room.take(3, 100)
    // The database says that none of them wait: a look into it is made again after a second.
    const take = () =>
      room.take(1, 600).then(
        () => true,
        (error: unknown) => !isOverloaded(error),
      )
    for (let tries = 0; !(await take()); tries++) {
      assert.ok(tries < 600, 'the room never came back')
      await setTimeout(50)
    }
    await assert.rejects(room.take(1, 1), isOverloaded)
  })
})
