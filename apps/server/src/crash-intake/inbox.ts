import { ApiError } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { isForeignKeyViolation } from '../db/foreign-key.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import { createInboxRoom } from './inbox-room.ts'
import { insertDeliveries, type NewDelivery } from './store.ts'

/** A delivery waits at most this many milliseconds for others, which are written with it and share its fsync. */
const shareMs = 10
/** Deliveries of this many bytes together are written at once. */
const maxBatchBytes = 4 * 2 ** 20

export interface Inbox {
  /**
   * Stores a delivery. Resolves when it is durable.
   *
   * @throws {ApiError} overloaded when too many bytes wait, insufficientStorage
   */
  add(delivery: NewDelivery): Promise<void>
}

interface Waiter {
  delivery: NewDelivery
  resolve: () => void
  reject: (reason: unknown) => void
}

/**
 * Creates an inbox that writes the deliveries that arrive together in one transaction. It writes when a turn of the
 * event loop has brought no further delivery, because waiting longer would only keep senders waiting. On a slow disk it
 * waits as long as the last write took, so that writing takes at most half of the time.
 */
export function createInbox({ db, jobs, blobs, config }: Pick<AppContext, 'db' | 'jobs' | 'blobs' | 'config'>): Inbox {
  const room = createInboxRoom(db)
  let waiters: Waiter[] = []
  let bytes = 0
  let timer: NodeJS.Timeout | undefined
  let isWatching = false
  let writing = 0
  let lastWrite = { endedAt: 0, tookMs: 0 }

  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    const batch = waiters
    waiters = []
    bytes = 0
    const startedAt = performance.now()
    writing++
    try {
      await writeAll(batch)
      jobs.wake()
    } finally {
      const endedAt = performance.now()
      lastWrite = { endedAt, tookMs: endedAt - startedAt }
      writing--
      watch()
    }
  }

  /** Never rejects. */
  const writeAll = async (batch: readonly Waiter[]): Promise<void> => {
    try {
      // The embedded database writes each page to its log (WAL) first and to its file later.
      const written = 2 * batch.reduce((sum, { delivery }) => sum + delivery.body.length, 0)
      using _room = config.databaseUrl === null ? await blobs.reserve.take(written) : undefined
      await db.transaction().execute(async (trx) => {
        await insertDeliveries(
          trx,
          batch.map(({ delivery }) => delivery),
        )
        await enqueueJobs(trx, [{ kind: 'read-crashes', key: 'read-crashes', payload: {} }])
      })
      for (const { resolve } of batch) resolve()
    } catch (error) {
      const isDeleted = isForeignKeyViolation(error)
      // One delivery to an application that has just been deleted must not cost the others.
      if (isDeleted && batch.length > 1) for (const one of batch) await writeAll([one])
      else for (const { reject } of batch) reject(isDeleted ? new ApiError('crashKeyRefused', { cause: error }) : error)
    }
  }

  /** Writes as soon as a turn of the event loop brings no further delivery. */
  const watch = () => {
    if (isWatching || waiters.length === 0 || writing > 0) return
    isWatching = true
    const before = waiters.length
    setImmediate(() => {
      isWatching = false
      const pauseMs = lastWrite.endedAt + lastWrite.tookMs - performance.now()
      if (waiters.length !== before || writing > 0) {
        watch()
      } else if (pauseMs > 0) {
        clearTimeout(timer)
        timer = setTimeout(() => void flush(), Math.min(pauseMs, shareMs))
      } else {
        void flush()
      }
    })
  }

  return {
    async add(delivery) {
      await room.take(delivery.application_id, delivery.body.length)
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiters.push({ delivery, resolve, reject })
      bytes += delivery.body.length
      timer ??= setTimeout(() => void flush(), shareMs)
      if (bytes >= maxBatchBytes) void flush()
      else watch()
      await promise
    },
  }
}
