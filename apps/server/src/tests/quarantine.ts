import { ApiError, type CreateQuarantine, type Page, type Quarantine } from '@fairlead/contract'
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import { countAll, cutRows, maxUnpaged, type Paged } from '../db/paging.ts'
import type { Row } from '../db/schema.ts'
import type { Caller } from '../http/caller.ts'
import { toInstant } from '../http/instant.ts'

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
  const test = await db
    .selectFrom('tests')
    .select('id')
    .where('application_id', '=', applicationId)
    .where('id', '=', testId)
    .executeTakeFirst()
  if (!test) throw new ApiError('unknownTest', { faults: [{ source: '/testId', detail: 'is no test here' }] })
  const row = await db
    .insertInto('quarantines')
    .values({
      application_id: applicationId,
      test_id: testId,
      reason: text,
      created_by: caller.name,
      created_at: now,
      expires_at: expiresAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
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
export async function listQuarantines(
  db: Db,
  applicationId: number,
  { cursor, limit }: Page,
): Promise<Paged<Quarantine>> {
  const matching = db
    .selectFrom('quarantines')
    .where('application_id', '=', applicationId)
    .where('expires_at', '>', Date.now())
  let rows = matching.selectAll().orderBy('id', 'desc')
  if (cursor !== undefined) rows = rows.where('id', '<', cursor)
  const { items, ...page } = await cutRows({
    rows: await rows.limit((limit ?? maxUnpaged) + 1).execute(),
    limit,
    toCursor: ({ id }) => String(id),
    count: matching.select(countAll),
  })
  return { ...page, items: items.map(toQuarantine) }
}

/** The current quarantines of some tests, by the ids of the tests; of several, the one that ends last. */
export async function listQuarantinesOfTests(db: Db, testIds: number[]): Promise<Map<number, Quarantine>> {
  const rows = await selectInBatches(testIds, (some) =>
    db
      .selectFrom('quarantines')
      .selectAll()
      .where('test_id', 'in', some)
      .where('expires_at', '>', Date.now())
      .orderBy('expires_at')
      .execute(),
  )
  return new Map(rows.map((row) => [row.test_id, toQuarantine(row)]))
}

/** @throws {ApiError} quarantineNotFound */
export async function removeQuarantine(db: Db, applicationId: number, id: number): Promise<void> {
  const removed = await db
    .deleteFrom('quarantines')
    .where('application_id', '=', applicationId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  if (!removed) throw new ApiError('quarantineNotFound')
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
