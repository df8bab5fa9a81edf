import type { ReportSummary } from '@fairlead/reports'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import type { ReportHeaders } from './report-headers.ts'
import { toJsonText } from '../db/json-text.ts'

export function toShardIndex({ shard }: Pick<ReportHeaders, 'shard'>): number {
  return shard?.index ?? 0
}

/** Finds the report that an earlier upload of the same bytes to the same run, attempt and shard created. */
export async function findPublishedReport(
  db: Db,
  applicationId: number,
  headers: Pick<ReportHeaders, 'key' | 'attempt' | 'shard'>,
  sha256: string,
): Promise<number | undefined> {
  if (headers.key === null) return undefined
  const row = await db
    .selectFrom('test_reports')
    .innerJoin('test_runs', 'test_runs.id', 'test_reports.run_id')
    .select('test_reports.id')
    .where('test_runs.application_id', '=', applicationId)
    .where('test_runs.run_key', '=', headers.key)
    .where('test_reports.attempt', '=', headers.attempt)
    .where('test_reports.shard', '=', toShardIndex(headers))
    .where('test_reports.sha256', '=', sha256)
    .executeTakeFirst()
  return row?.id
}

/** Reads a report that the caller has stored or found. */
export async function requireReportRow(db: Db, id: number): Promise<Row<'test_reports'>> {
  return db.selectFrom('test_reports').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** Inserts a report that is not shown before `publishReport`. */
export async function insertReport(
  trx: Db,
  runId: number,
  applicationId: number,
  headers: Pick<ReportHeaders, 'attempt' | 'shard'>,
  summary: ReportSummary,
): Promise<number> {
  const { id } = await trx
    .insertInto('test_reports')
    .values({
      run_id: runId,
      application_id: applicationId,
      attempt: headers.attempt,
      shard: toShardIndex(headers),
      sha256: null,
      blob_id: null,
      details_blob_id: null,
      format: summary.format,
      counts: toJsonText(summary.counts),
      warnings: toJsonText(summary.warnings),
      unlisted: summary.unlisted,
      created_at: Date.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function publishReport(
  trx: Db,
  id: number,
  values: { sha256: string; blob_id: number; details_blob_id: number | null },
): Promise<void> {
  await trx.updateTable('test_reports').set(values).where('id', '=', id).execute()
}

/** Lists reports that began before a time and were never published, because their process died. */
export async function listUnpublishedReports(db: Db, before: number): Promise<{ id: number; run_id: number }[]> {
  return db
    .selectFrom('test_reports')
    .select(['id', 'run_id'])
    .where('sha256', 'is', null)
    .where('created_at', '<', before)
    .execute()
}
