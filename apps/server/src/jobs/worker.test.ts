import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { pino } from 'pino'
import { readConfig } from '../config.ts'
import type { Db } from '../db/open.ts'
import { type OpenTestDatabase, openTestDatabase } from '../testing/open-test-database.ts'
import { enqueueJobs } from './enqueue.ts'
import type { JobHandler, JobHandlers } from './job.ts'
import { WakeUp } from './wake-up.ts'
import { startWorker } from './worker.ts'

describe('The worker', () => {
  let database: OpenTestDatabase
  let db: Db
  let workers: AsyncDisposableStack

  before(async () => {
    database = await openTestDatabase()
    db = database.db
  })
  beforeEach(async () => {
    workers = new AsyncDisposableStack()
    await db.deleteFrom('jobs').execute()
  })
  afterEach(() => workers.disposeAsync())
  after(() => database?.[Symbol.asyncDispose]())

  const start = (sendMail: JobHandler<'send-mail'>) => {
    const config = readConfig({
      FAIRLEAD_DATA_DIR: database.dataDir,
      ...(database.url !== null && { FAIRLEAD_DATABASE_URL: database.url }),
    })
    const idle: JobHandler<never> = { run: async () => undefined }
    const jobs = new WakeUp()
    const handlers: JobHandlers = {
      'send-mail': sendMail,
      'notify-testers': idle,
      'remind-testers': idle,
      'reset-password': idle,
      'daily-chores': idle,
      'read-crashes': idle,
      'reread-crashes': idle,
      'mail-crashes': idle,
      'plan-alerts': idle,
      'look-at-alerts': idle,
      'mail-alerts': idle,
      'alert-of-feedback': idle,
      'read-test-crashes': idle,
      'find-test-owners': idle,
      'plan-retention': idle,
      'run-retention': idle,
      'undo-retention': idle,
      'announce-retention': idle,
      'empty-trash': idle,
      'register-device': idle,
      'complete-test-run': idle,
    }
    const worker = startWorker({ db, config, jobs, log: pino({ level: 'silent' }) }, handlers)
    // A worker that a failed test leaves running would take the jobs of the next test.
    workers.use({ [Symbol.asyncDispose]: () => worker.stop() })
    return { ...worker, wake: () => jobs.wake() }
  }
  const enqueue = (...mailIds: number[]) =>
    enqueueJobs(
      db,
      mailIds.map((mailId) => ({ kind: 'send-mail' as const, payload: { mailId } })),
    )
  const isEmpty = async () => (await db.selectFrom('jobs').select('id').executeTakeFirst()) === undefined
  const until = async (isTrue: () => boolean | Promise<boolean>) => {
    for (let waited = 0; waited < 500; waited++) {
      if (await isTrue()) return
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error('the condition was not met within ten seconds')
  }

  it('runs a job again that was enqueued again while it ran', async () => {
    let runs = 0
    const again = () => enqueueJobs(db, [{ kind: 'send-mail', key: 'again', payload: { mailId: 1 } }])
    const worker = start({
      async run() {
        runs++
        // The clock must move on, so that the job's new time differs.
        await new Promise((resolve) => setTimeout(resolve, 5))
        if (runs === 1) await again()
        return undefined
      },
    })
    await again()
    worker.wake()
    await until(async () => runs === 2 && (await isEmpty()))
    await worker.stop()
    assert.equal(runs, 2)
  })

  it('runs each job once, however many workers there are', async () => {
    const done: number[] = []
    const handler: JobHandler<'send-mail'> = {
      run: async ({ mailId }) => {
        await new Promise((resolve) => setTimeout(resolve, 1))
        done.push(mailId)
        return undefined
      },
    }
    const ids = Array.from({ length: 200 }, (_, index) => index)
    await enqueue(...ids)
    const competing = [start(handler), start(handler), start(handler)]
    await until(isEmpty)
    await Promise.all(competing.map((worker) => worker.stop()))
    assert.deepEqual(
      done.sort((a, b) => a - b),
      ids,
    )
  })

  it('is woken by a new job instead of polling', async () => {
    let runs = 0
    const worker = start({
      run: async () => {
        runs++
        return undefined
      },
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    await enqueue(1)
    worker.wake()
    await until(isEmpty)
    assert.equal(runs, 1)
    await worker.stop()
  })

  it('retries after a failure and records its reason', async () => {
    const failures: boolean[] = []
    let runs = 0
    const worker = start({
      run: async () => {
        if (++runs < 2) throw new Error('not today')
        return undefined
      },
      fail: async (_payload, _error, isLast) => void failures.push(isLast),
    })
    await enqueue(1)
    worker.wake()
    await until(() => failures.length > 0)
    await until(async () => (await db.selectFrom('jobs').select('last_error').executeTakeFirst())?.last_error !== null)
    const job = await db.selectFrom('jobs').selectAll().executeTakeFirst()
    assert.equal(job?.last_error, 'not today')
    assert.ok((job?.run_at ?? 0) > Date.now())
    await until(isEmpty)
    assert.equal(runs, 2)
    assert.deepEqual(failures, [false])
    await worker.stop()
  })

  it('does not run a postponed job early when the clock of the replica that postponed it is ahead', async () => {
    const now = Date.now()
    await enqueue(1, 2)
    await db
      .updateTable('jobs')
      .set({ run_at: now + 3_600_000, created_at: now + 10_000 })
      .where('id', '=', (select) => select.selectFrom('jobs').select((row) => row.fn.min('id').as('id')))
      .execute()
    const done: number[] = []
    const worker = start({
      run: async ({ mailId }) => {
        done.push(mailId)
        return undefined
      },
    })
    await until(() => done.includes(2))
    await worker.stop()
    assert.deepEqual(done, [2])
  })

  it('gives up a job after its last attempt', async () => {
    const failures: boolean[] = []
    await enqueue(1)
    await db.updateTable('jobs').set({ attempts: 8 }).execute()
    const worker = start({
      run: () => Promise.reject(new Error('never')),
      fail: async (_payload, _error, isLast) => void failures.push(isLast),
    })
    await until(isEmpty)
    assert.deepEqual(failures, [true])
    await worker.stop()
  })

  it('takes over the jobs of a dead process, but not those of a running one', async () => {
    await enqueue(1, 2)
    const [dead, live] = await db.selectFrom('jobs').select('id').orderBy('id').execute()
    const claim = (id: number | undefined, claimed_until: number) =>
      db
        .updateTable('jobs')
        .set({ claimed_until, attempts: 1 })
        .where('id', '=', id ?? 0)
        .execute()
    await claim(dead?.id, Date.now() - 1)
    await claim(live?.id, Date.now() + 60_000)
    const done: number[] = []
    const worker = start({
      run: async ({ mailId }) => {
        done.push(mailId)
        return undefined
      },
    })
    await until(() => done.length > 0)
    await worker.stop()
    assert.deepEqual(done, [1])
  })

  it('waits for running jobs at a shutdown and starts no new ones', async () => {
    const begun: number[] = []
    const ended: number[] = []
    const finish = Promise.withResolvers<void>()
    const worker = start({
      run: async ({ mailId }) => {
        begun.push(mailId)
        await finish.promise
        ended.push(mailId)
        return undefined
      },
    })
    await enqueue(1, 2, 3, 4, 5, 6)
    worker.wake()
    await until(() => begun.length === 4)
    const stopped = worker.stop()
    finish.resolve()
    await stopped
    assert.deepEqual(ended, begun)
    const left = await db.selectFrom('jobs').select('id').execute()
    assert.equal(left.length, 2)
  })
})
