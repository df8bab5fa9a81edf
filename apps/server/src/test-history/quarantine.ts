import { ApiError, type CreateQuarantine, type Page, type Quarantine } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import type { Paged } from '../db/paging.ts'
import type { Row } from '../db/schema.ts'
import type { Caller } from '../http/caller.ts'
import { toInstant } from '../http/instant.ts'
import {
  deleteQuarantine,
  insertQuarantine,
  isTestOf,
  listQuarantineRows,
  listQuarantineRowsOfTests,
} from './quarantine-store.ts'

/** The longest time of a quarantine. It ends by itself, so that no test is forgotten in it. */
const lifetimeMs = 14 * 24 * 60 * 60 * 1000

/**
 * Quarantines a test: its failures no longer fail a run.
 *
 * @throws {ApiError} missingReason, invalidQuarantineEnd, unknownTest
 */
export async function createQuarantine(
  db: Db,
  caller: Caller,
  applicationId: number,
  { testId, reason, expirationDate }: CreateQuarantine,
): Promise<Quarantine> {
  const text = reason?.trim() ?? ''
  if (text === '') {
    throw new ApiError('missingReason', { faults: [{ source: '/reason', detail: 'must say why' }] })
  }
  const now = Date.now()
  const expiresAt = toEnd(now, expirationDate)
  if (!(await isTestOf(db, applicationId, testId))) {
    throw new ApiError('unknownTest', { faults: [{ source: '/testId', detail: 'is no test here' }] })
  }
  const row = await insertQuarantine(db, {
    application_id: applicationId,
    test_id: testId,
    reason: text,
    created_by: caller.name,
    created_at: now,
    expires_at: expiresAt,
  })
  return toQuarantine(row)
}

function toEnd(now: number, date: string | null | undefined): number {
  const latest = now + lifetimeMs
  if (date === null || date === undefined) return latest
  const end = Date.parse(date)
  if (end > now && end <= latest) return end
  throw new ApiError('invalidQuarantineEnd', {
    faults: [{ source: '/expirationDate', detail: `must be after now and not after ${toInstant(latest)}` }],
  })
}

/** Lists the quarantines that have not ended, newest first. */
export async function listQuarantines(db: Db, applicationId: number, page: Page): Promise<Paged<Quarantine>> {
  const { items, ...rest } = await listQuarantineRows(db, applicationId, page, Date.now())
  return { ...rest, items: items.map(toQuarantine) }
}

/** The current quarantines of some tests, by the ids of the tests; of several, the one that ends last. */
export async function listQuarantinesOfTests(db: Db, testIds: number[]): Promise<Map<number, Quarantine>> {
  const rows = await listQuarantineRowsOfTests(db, testIds, Date.now())
  return new Map(rows.map((row) => [row.test_id, toQuarantine(row)]))
}

/** @throws {ApiError} quarantineNotFound */
export async function removeQuarantine(db: Db, applicationId: number, id: number): Promise<void> {
  if (!(await deleteQuarantine(db, applicationId, id))) throw new ApiError('quarantineNotFound')
}

function toQuarantine(row: Row<'quarantines'>): Quarantine {
  return {
    id: row.id,
    testId: row.test_id,
    reason: row.reason,
    createdDate: toInstant(row.created_at),
    expirationDate: toInstant(row.expires_at),
  }
}
