import type { Db } from '../db/open.ts'
import { deleteReport } from './delete-report-store.ts'
import { listUnpublishedReports } from './report-store.ts'
import { deleteRunWithoutReports } from './run-store.ts'

/** Deletes the hidden rows of reports whose process died before they were complete. */
export async function sweepUnpublishedReports(db: Db, before: number): Promise<number> {
  const reports = await listUnpublishedReports(db, before)
  for (const { id, run_id } of reports) {
    await deleteReport(db, run_id, id)
    await deleteRunWithoutReports(db, run_id)
  }
  return reports.length
}
