import { join } from 'node:path'
import { AllureResults } from './allure/read-allure.ts'
import { AttachmentStore } from './archive/attachment-store.ts'
import { findNamedAttachments } from './named-attachments.ts'
import { openUpload } from './archive/open-upload.ts'
import type { Upload } from './archive/upload.ts'
import { CaseRecorder } from './cases/case-recorder.ts'
import { BlockWriter, type WriteBudget } from './details/block-writer.ts'
import { defaultLimits } from './limits.ts'
import { FileReader } from './file-reader.ts'
import { planFiles } from './plan-files.ts'
import type { ReadReportsOptions } from './read-options.ts'
import type { ReportSummary } from './report.ts'
import { ReportsError, withSource } from './reports-error.ts'
import { Warnings } from './warnings.ts'

/**
 * Reads an upload, one report or an archive of many, without limits on time and memory; a server uses
 * `createReportReader`. Cases and details are written to files in `folder`, which must exist and be empty; attachments
 * that cases name are copied there. A result bundle limits the memory of SQLite in the whole process. Throws
 * ReportsError; the contents of the folder are then of no use.
 */
export async function readReports(
  path: string,
  folder: string,
  options: ReadReportsOptions = {},
): Promise<ReportSummary> {
  const limits = { ...defaultLimits, ...options.limits }
  using upload = await openUpload(path, { limits, folder })
  const budget: WriteBudget = { left: limits.maxWrittenBytes }
  using cases = new BlockWriter(join(folder, 'cases'), budget, false)
  using details = new BlockWriter(join(folder, 'details'), budget, true)
  const warnings = new Warnings()
  const attachments = new AttachmentStore({ upload, folder, budget, limits, warnings })
  const recorder = new CaseRecorder({
    cases,
    details,
    attachments,
    warnings,
    limits,
    scope: options.scope ?? '',
  })
  const allure = new AllureResults(limits)
  const reader = new FileReader({ upload, folder, limits, recorder, warnings, allure, options })
  const { isIncomplete } = await readFiles(upload, reader, {
    warnings,
    skipBroken: options.skipBroken ?? false,
    maxReportBytes: limits.maxReportBytes,
  })
  recorder.release()
  if (recorder.files.length === 0) throw noReport(upload, isIncomplete)
  cases.end()
  details.end()
  return {
    format: describeFormat(upload, recorder),
    counts: recorder.counts,
    unlisted: recorder.unlisted,
    warnings: warnings.list,
    files: recorder.files,
    isIncomplete,
    isInfrastructureFailure: recorder.counts.cases === 0 && warnings.list.some(({ code }) => code === 'processCrashed'),
    suiteOutputs: recorder.suiteOutputs,
    attachments: await attachments.extract(),
    casesPath: cases.path,
    detailsPath: details.path,
  }
}

interface ReadFilesOptions {
  warnings: Warnings
  skipBroken: boolean
  maxReportBytes: number
}

async function readFiles(
  upload: Upload,
  reader: FileReader,
  { warnings, skipBroken, maxReportBytes }: ReadFilesOptions,
) {
  let isIncomplete = false
  const planned = planFiles(upload)
  const attached = await findNamedAttachments(upload, planned, maxReportBytes)
  for (const file of planned) {
    if (attached.has(file.entry)) continue
    const source = file.entry.path
    try {
      // A broken file must not leave anything behind, so if it may be skipped, it is read once without recording.
      if (skipBroken && upload.isArchive) await withSource(source, () => reader.check(file))
    } catch (error) {
      if (!(error instanceof ReportsError) || !isFileFault(error)) throw error
      warnings.add('brokenFile', source, error.line, error.message)
      isIncomplete = true
      continue
    }
    await withSource(source, () => reader.read(file))
  }
  reader.finish()
  return { isIncomplete }
}

/** Errors that concern one file, so that others can still be read. */
function isFileFault({ code }: ReportsError): boolean {
  return code === 'malformed' || code === 'not-a-report' || code === 'no-database' || code === 'unsupported-report'
}

function noReport(upload: Upload, isIncomplete: boolean): ReportsError {
  if (!upload.isArchive) return new ReportsError('not-a-report')
  return new ReportsError('no-report', isIncomplete ? 'All reports in it are broken.' : '')
}

function describeFormat(upload: Upload, recorder: CaseRecorder): ReportSummary['format'] {
  const [first] = recorder.files
  if (!upload.isArchive || (recorder.files.length === 1 && first?.format === 'xcresult'))
    return first?.format ?? 'archive'
  return 'archive'
}
