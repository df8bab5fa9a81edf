import { ApiError } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import { sumWaitingBytes } from './store.ts'

/** The most bytes of deliveries that wait to be read: of one application, and of all. */
const maxBytesOfApplication = 256 * 2 ** 20
const maxBytes = 1024 * 2 ** 20
/** How long the sums of the database are used, in milliseconds, when an application is over a limit. */
const sumMs = 1000

export interface InboxRoom {
  /** Counts a delivery. @throws {ApiError} overloaded when too many bytes wait */
  take(applicationId: number, bytes: number): Promise<void>
}

/**
 * Bounds the bytes that wait in the inbox. Every shipped app contains a crash key, so anybody can send crashes, and
 * faster than they are read. What was counted since the last look into the database only grows; the database is asked
 * again when that seems too much.
 */
export function createInboxRoom(db: Db, limits = { maxBytes, maxBytesOfApplication }): InboxRoom {
  let sums = new Map<number, number>()
  let total = 0
  let readAt = -Infinity
  let reading: Promise<void> | undefined

  const readSums = async () => {
    const rows = await sumWaitingBytes(db)
    sums = new Map(rows.map(({ applicationId, bytes }) => [applicationId, bytes]))
    total = rows.reduce((sum, { bytes }) => sum + bytes, 0)
    readAt = performance.now()
  }
  const isOver = (applicationId: number, bytes: number) =>
    (sums.get(applicationId) ?? 0) + bytes > limits.maxBytesOfApplication || total + bytes > limits.maxBytes

  return {
    async take(applicationId, bytes) {
      const isFirst = readAt === -Infinity
      if (isFirst || (isOver(applicationId, bytes) && performance.now() - readAt > sumMs)) {
        reading ??= readSums().finally(() => (reading = undefined))
        await reading
      }
      if (isOver(applicationId, bytes)) {
        const detail = 'Too many crashes of this application wait to be read'
        throw new ApiError('overloaded', { detail, headers: { 'retry-after': '60' } })
      }
      sums.set(applicationId, (sums.get(applicationId) ?? 0) + bytes)
      total += bytes
    },
  }
}
