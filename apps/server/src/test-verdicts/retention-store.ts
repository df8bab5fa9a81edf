import type { Db } from '../db/open.ts'
import { failed } from '../test-results/outcome.ts'

/** Lists complete runs from before a time that are at a stage of `retention.ts`, oldest first. */
export async function listRunsOfStage(db: Db, stage: number, before: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('test_runs')
    .select('id')
    .where('retention', '=', stage)
    .where('created_at', '<', before)
    .where('state', '=', 'complete')
    .orderBy('created_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export async function setStage(trx: Db, runId: number, stage: number): Promise<void> {
  await trx.updateTable('test_runs').set({ retention: stage }).where('id', '=', runId).execute()
}

// The functions below return the blobs of the deleted rows, for the caller to release.

type BlobId = number | null

export async function deletePassedAttachments(trx: Db, runId: number): Promise<BlobId[]> {
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
  return rows.map(({ blob_id }) => blob_id)
}

export async function deleteAttachments(trx: Db, runId: number): Promise<BlobId[]> {
  const rows = await trx.deleteFrom('test_attachments').where('run_id', '=', runId).returning('blob_id').execute()
  return rows.map(({ blob_id }) => blob_id)
}

/** Deletes the results and failures of a run. The rows of its reports stay, without their files. */
export async function deleteResults(trx: Db, runId: number): Promise<BlobId[]> {
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
  return reports.flatMap(({ blob_id, details_blob_id }) => [blob_id, details_blob_id])
}
