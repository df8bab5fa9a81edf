/**
 * The HTTP side of test analysis: `routes.ts` and its neighbours declare every route, and this file takes reports in.
 *
 * 1. The body goes to a staging file while it is hashed. Bytes that the run already holds end here, as a duplicate.
 * 2. `packages/reports` reads the file in a child process. A fault is a 422, and nothing is stored.
 * 3. `test-results/store-report.ts` stores the cases, hidden at first, and shows them in one transaction.
 * 4. A run that has all its shards, or that was complete before, is judged by `test-verdicts/complete.ts`. A job does
 *    the same if this process dies before.
 *
 * Always true: a report is stored as a whole or not at all, and a report of a second upload changes nothing.
 */
import { ApiError, type TestReport } from '@fairlead/contract'
import { ReportsError, type ReportSummary } from '@fairlead/reports'
import type { ApplicationRow } from '../applications/application.ts'
import { requireApplicationByAlias } from '../applications/find.ts'
import type { StagedFile } from '../blobs/blob-store.ts'
import { requireRoom } from '../blobs/quota.ts'
import { requireBuild } from '../builds/find.ts'
import type { AppContext } from '../context.ts'
import type { Caller } from '../http/caller.ts'
import type { UploadBody } from '../http/continue-upload.ts'
import { refuseWhenFull } from '../http/queue-full.ts'
import { completeRun } from '../test-verdicts/complete.ts'
import type { ReportHeaders } from '../test-results/report-headers.ts'
import { findPublishedReport, requireReportRow } from '../test-results/report-store.ts'
import { hasAllShards, toTestRun } from '../test-results/run.ts'
import { requireRunRow } from '../test-results/run-store.ts'
import { storeReport } from '../test-results/store-report.ts'
import { parseJsonText } from '../db/json-text.ts'

export const maxReportBytes = 2 ** 30

export interface ReportUpload extends ReportHeaders {
  body: UploadBody
  maxBytes: number
  /** Aborted when the client hangs up. */
  signal: AbortSignal
}

/**
 * Receives test reports, reads them and adds their results to a run. A failure leaves nothing behind; the same bytes of
 * the same run, attempt and shard change nothing.
 *
 * @throws {ApiError} aliasNotFound, unknownBuild, tooLarge, truncatedBody, unreadableTestReport, tooManyRequests,
 *   overloaded, quotaExceeded, clientClosed
 */
export async function uploadTestReport(context: AppContext, caller: Caller, upload: ReportUpload): Promise<TestReport> {
  const { staging } = context.blobs
  const application = await requireApplicationByAlias(context, caller.workspaceId, upload.alias)
  await checkBuild(context, application, upload.buildId)
  const { size } = upload.body
  await requireRoom(context, caller.workspaceId, { bytes: size ?? 0, builds: 0 })
  const { uploadIdleMs: idleMs } = context.config
  const limits = { maxBytes: upload.maxBytes, idleMs, announcedSize: size ?? undefined }
  const staged = await staging.receive(upload.body.open(), limits)
  try {
    const published = await findPublishedReport(context.db, application.id, upload, staged.sha256)
    if (published !== undefined) return await answer(context, published, true)
    return await readAndStore(context, application, upload, staged)
  } finally {
    await staging.discard(staged)
  }
}

async function checkBuild(context: AppContext, application: ApplicationRow, buildId: number | null): Promise<void> {
  if (buildId === null) return
  const build = await requireBuild(context, application.workspace_id, buildId).catch(() => undefined)
  if (build?.application_id !== application.id) {
    throw new ApiError('unknownBuild', {
      faults: [{ source: 'X-Service-Build-Id', detail: 'is no build of this application' }],
    })
  }
}

async function readAndStore(
  context: AppContext,
  application: ApplicationRow,
  upload: ReportUpload,
  staged: StagedFile,
): Promise<TestReport> {
  await requireRoom(context, application.workspace_id, { bytes: staged.size, builds: 0 })
  await using folder = await context.blobs.staging.openFolder(staged.size)
  const { suite, skipBroken, signal } = upload
  const summary = await context.readers.reports
    .readReports(staged.path, folder.path, {
      turnKey: String(application.workspace_id),
      scope: String(application.id),
      signal,
      suite,
      skipBroken,
    })
    .catch(refuseWhenFull)
    .catch(refuse)
  const attached = summary.attachments.reduce((sum, { size }) => sum + size, 0)
  await requireRoom(context, application.workspace_id, { bytes: staged.size + attached, builds: 0 })
  const stored = await storeReport(context, application, upload, staged, summary)
  context.jobs.wake()
  if (!stored.duplicate) {
    const run = await requireRunRow(context.db, stored.runId)
    if (run.state === 'complete' || (run.shards_expected !== null && hasAllShards(run))) {
      await completeRun(context, run.id)
    }
  }
  return answer(context, stored.reportId, stored.duplicate, summary)
}

async function answer(
  { db }: Pick<AppContext, 'db'>,
  reportId: number,
  duplicate: boolean,
  summary?: ReportSummary,
): Promise<TestReport> {
  const report = await requireReportRow(db, reportId)
  return {
    id: report.id,
    duplicate,
    sha256: report.sha256 ?? '',
    format: summary?.format ?? report.format,
    counts: parseJsonText(report.counts),
    unlisted: report.unlisted,
    warnings: parseJsonText(report.warnings),
    run: toTestRun(await requireRunRow(db, report.run_id)),
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof ReportsError)) throw error
  throw new ApiError('unreadableTestReport', {
    detail: error.source === '' ? error.message : `${error.source}: ${error.message}`,
    faults: [{ source: error.source, detail: error.message }],
    cause: error,
  })
}
