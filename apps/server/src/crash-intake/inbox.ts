import type { AppContext } from '../context.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import { insertDeliveries, type NewDelivery } from './store.ts'

/** Deliveries that arrive within this many milliseconds are written in one transaction, which costs one fsync. */
const shareMs = 10
/** Deliveries of this many bytes together are written at once. */
const maxBatchBytes = 4 * 2 ** 20

export interface Inbox {
  /** Stores a delivery. Resolves when it is durable. */
  add(delivery: NewDelivery): Promise<void>
}

interface Waiter {
  delivery: NewDelivery
  resolve: () => void
  reject: (reason: unknown) => void
}

export function createInbox({ db, jobs }: Pick<AppContext, 'db' | 'jobs'>): Inbox {
  let waiters: Waiter[] = []
  let bytes = 0
  let timer: NodeJS.Timeout | undefined

  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    const batch = waiters
    waiters = []
    bytes = 0
    try {
      await db.transaction().execute(async (trx) => {
        await insertDeliveries(
          trx,
          batch.map(({ delivery }) => delivery),
        )
        await enqueueJobs(trx, [{ kind: 'read-crashes', key: 'read-crashes', payload: {} }])
      })
      for (const { resolve } of batch) resolve()
      jobs.wake()
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return {
    add(delivery) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiters.push({ delivery, resolve, reject })
      bytes += delivery.body.length
      if (bytes >= maxBatchBytes) void flush()
      else timer ??= setTimeout(() => void flush(), shareMs)
      return promise
    },
  }
}
