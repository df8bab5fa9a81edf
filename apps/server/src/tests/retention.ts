/** Deletes old data run by run: first attachments, later results and reports. The daily counts of tests stay. */
import { releaseBlobs, removeKeys } from '../blobs/records.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { transact } from '../db/transact.ts'
import { failed } from './outcome.ts'

const day = 24 * 60 * 60 * 1000
/** The stages of a run's life, in the order of `test_runs.retention`. */
const stages = [
  { ageMs: 14 * day, drop: dropPassedAttachments },
  { ageMs: 90 * day, drop: dropAttachments },
  { ageMs: 180 * day, drop: dropResults },
] as const

/** How many runs are read at once. */
const batchSize = 100

/**
 * Deletes attachments of passed cases after 14 days, all attachments after 90, and results and reports after 180. The
 * run stays with its counts and its verdict, and the days of its tests with theirs. Returns how many runs were changed.
 */
export async function deleteOldTestResults(
  context: Pick<AppContext, 'db' | 'blobs' | 'log'>,
  now: number,
  signal: AbortSignal,
): Promise<number> {
  let changed = 0
  for (const [stage, { ageMs, drop }] of stages.entries()) {
    while (!signal.aborted) {
      const runs = await listRuns(context.db, stage, now - ageMs)
      for (const runId of runs) {
        if (signal.aborted) return changed
        const keys = await context.blobs.reserve.delete(() =>
          transact(context.db, async (trx) => {
            const removed = await drop(trx, runId)
            await trx
              .updateTable('test_runs')
              .set({ retention: stage + 1 })
              .where('id', '=', runId)
              .execute()
            return removed
          }),
        )
        await removeKeys(context, keys)
        changed++
      }
      if (runs.length < batchSize) break
    }
  }
  return changed
}

async function listRuns(db: Db, retention: number, before: number): Promise<number[]> {
  const rows = await db
    .selectFrom('test_runs')
    .select('id')
    .where('retention', '=', retention)
    .where('created_at', '<', before)
    .where('state', '=', 'complete')
    .orderBy('created_at')
    .limit(batchSize)
    .execute()
  return rows.map(({ id }) => id)
}

async function dropPassedAttachments(trx: Db, runId: number): Promise<string[]> {
  const failures = trx
    .selectFrom('test_results as result')
    .select('result.test_id')
    .where('result.run_id', '=', runId)
    .where((where) => where.or([where('result.outcome', '=', failed), where('result.failed_attempts', '>', 0)]))
  const rows = await trx
    .deleteFrom('test_attachments')
    .where('run_id', '=', runId)
    .where('test_id', 'not in', failures)
    .returning('blob_id')
    .execute()
  return releaseAll(trx, rows)
}

async function dropAttachments(trx: Db, runId: number): Promise<string[]> {
  return releaseAll(
    trx,
    await trx.deleteFrom('test_attachments').where('run_id', '=', runId).returning('blob_id').execute(),
  )
}

async function dropResults(trx: Db, runId: number): Promise<string[]> {
  await trx.deleteFrom('test_results').where('run_id', '=', runId).execute()
  await trx.deleteFrom('test_failures').where('run_id', '=', runId).execute()
  // The rows stay, so that a second upload of the same bytes is still recognized.
  const reports = await trx
    .selectFrom('test_reports')
    .select(['blob_id', 'details_blob_id'])
    .where('run_id', '=', runId)
    .execute()
  await trx
    .updateTable('test_reports')
    .set({ blob_id: null, details_blob_id: null })
    .where('run_id', '=', runId)
    .execute()
  return releaseAll(
    trx,
    reports.flatMap(({ blob_id, details_blob_id }) => [{ blob_id }, { blob_id: details_blob_id }]),
  )
}

async function releaseAll(trx: Db, rows: { blob_id: number | null }[]): Promise<string[]> {
  return releaseBlobs(
    trx,
    rows.map(({ blob_id }) => blob_id),
  )
}
