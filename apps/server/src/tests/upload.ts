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
import { completeRun } from './complete.ts'
import type { ReportHeaders } from './report-headers.ts'
import { findPublishedReport } from './report-store.ts'
import { hasAllShards, toTestRun } from './run.ts'
import { requireRunRow } from './run-store.ts'
import { storeReport } from './store-report.ts'

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
 *   quotaExceeded
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
    const known = await findPublishedReport(context.db, application.id, upload, staged.sha256)
    if (known !== undefined) return await answer(context, known, true)
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
  await using folder = await context.blobs.staging.openFolder()
  const { suite, skipBroken, signal } = upload
  const summary = await context.readers.reports
    .readReports(staged.path, folder.path, {
      key: String(application.workspace_id),
      scope: String(application.id),
      signal,
      suite,
      skipBroken,
    })
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
  const report = await db.selectFrom('test_reports').selectAll().where('id', '=', reportId).executeTakeFirstOrThrow()
  return {
    id: report.id,
    duplicate,
    sha256: report.sha256 ?? '',
    // Only `storeReport` writes these columns, from a summary.
    format: (summary?.format ?? report.format) as TestReport['format'],
    counts: JSON.parse(report.counts) as TestReport['counts'],
    warnings: JSON.parse(report.warnings) as TestReport['warnings'],
    run: toTestRun(await requireRunRow(db, report.run_id)),
  }
}

/** Seconds after which an upload that found too many others waiting may be sent again. */
const retryAfter = '10'

function refuse(error: unknown): never {
  if (!(error instanceof ReportsError)) throw error
  if (error.code === 'aborted') throw new ApiError('clientClosed', { cause: error })
  if (error.code === 'busy') {
    throw new ApiError('tooManyRequests', {
      detail: error.message,
      headers: { 'retry-after': retryAfter },
      cause: error,
    })
  }
  throw new ApiError('unreadableTestReport', {
    detail: error.source === '' ? error.message : `${error.source}: ${error.message}`,
    faults: [{ source: error.source, detail: error.message }],
    cause: error,
  })
}
