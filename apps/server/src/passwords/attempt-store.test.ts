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

function testStore(open: () => AttemptStore): void {
  it('are counted by key until their window ends', async () => {
    const store = open()
    assert.deepEqual({ ...(await store.add('ada', 1000, 5000)) }, { attempts: 1, endsAt: 6000 })
    assert.deepEqual({ ...(await store.add('ada', 1000, 5999)) }, { attempts: 2, endsAt: 6000 })
    assert.deepEqual({ ...(await store.add('bob', 1000, 5999)) }, { attempts: 1, endsAt: 6999 })
    assert.deepEqual({ ...(await store.add('ada', 1000, 6000)) }, { attempts: 1, endsAt: 7000 })
  })

  it('can be taken back one by one and forgotten', async () => {
    const store = open()
    for (let attempt = 0; attempt < 3; attempt++) await store.add('carol', 1000, 5000)
    await store.takeBack('carol')
    assert.equal((await store.add('carol', 1000, 5001)).attempts, 3)
    await store.forget('carol')
    await store.takeBack('carol')
    assert.equal((await store.add('carol', 1000, 5002)).attempts, 1)
  })

  it('are all counted when they are concurrent', async () => {
    const store = open()
    const counts = await Promise.all(Array.from({ length: 20 }, () => store.add('dave', 1000, 5000)))
    assert.equal(Math.max(...counts.map(({ attempts }) => attempts)), 20)
  })
}
