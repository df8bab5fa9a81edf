import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Db, openDatabase } from '../db/open.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
import { type AttemptStore, createMemoryAttempts } from './attempt-store.ts'
import { createDatabaseAttempts } from './database-attempts.ts'

describe('Attempts in memory', () => testStore(createMemoryAttempts))

describe('Attempts in the database', () => {
  let server: TestServer
  let db: Db
  before(async () => {
    server = await startServer()
    db = (await openDatabase(server)).db
  })
  after(async () => {
    await db.destroy()
    await server[Symbol.asyncDispose]()
  })
  testStore(() => createDatabaseAttempts(db))
})

/** In the future, because the server deletes windows that have ended. */
const start = Date.now() + 3_600_000

function testStore(open: () => AttemptStore): void {
  it('are counted by key until their window ends', async () => {
    const store = open()
    const add = async (key: string, sinceStart: number) => {
      const { attempts, endsAt } = await store.add(key, 1000, start + sinceStart)
      return [attempts, endsAt - start]
    }
    assert.deepEqual(await add('ada', 0), [1, 1000])
    assert.deepEqual(await add('ada', 999), [2, 1000])
    assert.deepEqual(await add('bob', 999), [1, 1999])
    assert.deepEqual(await add('ada', 1000), [1, 2000])
  })

  it('are counted one by one when they come at the same time', async () => {
    const store = open()
    const added = await Promise.all(Array.from({ length: 5 }, () => store.add('dora', 1000, start)))
    const counts = added.map(({ attempts }) => attempts).toSorted((a, b) => a - b)
    assert.deepEqual(counts, [1, 2, 3, 4, 5])
  })

  it('can be taken back one by one and forgotten', async () => {
    const store = open()
    for (let attempt = 0; attempt < 3; attempt++) await store.add('carol', 1000, start)
    await store.takeBack('carol')
    assert.equal((await store.add('carol', 1000, start + 1)).attempts, 3)
    await store.forget('carol')
    await store.takeBack('carol')
    assert.equal((await store.add('carol', 1000, start + 2)).attempts, 1)
  })

  it('are all counted when they are concurrent', async () => {
    const store = open()
    const counts = await Promise.all(Array.from({ length: 20 }, () => store.add('dave', 1000, start)))
    assert.equal(Math.max(...counts.map(({ attempts }) => attempts)), 20)
  })
}
