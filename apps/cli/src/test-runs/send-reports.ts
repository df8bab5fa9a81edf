import type { Client } from '@fairlead/client'
import { writeTemporaryZip, type ZipEntry } from '../files/temporary-zip.ts'
import type { Io } from '../io.ts'
import { toShownLine } from '../output/shown-text.ts'
import { writeNote, writeWarning } from '../output/write.ts'
import { type ReportFlags, toReportHeaders } from './report-flags.ts'

export type TestReport = Awaited<ReturnType<Client['tests']['uploadReport']>>

/** Uploads reports, several as one archive, and writes the warnings of the server to standard error. */
export async function sendReports(
  io: Io,
  client: Client,
  flags: ReportFlags,
  files: readonly ZipEntry[],
): Promise<TestReport> {
  writeNote(io, `Uploading ${files.length} ${files.length === 1 ? 'file' : 'files'} to ${toShownLine(flags.app)}`)
  await using file = await openUpload(io, files)
  const report = await client.tests.uploadReport({
    alias: flags.app,
    file: file.path,
    headers: toReportHeaders(io, flags),
    signal: io.signal,
  })
  for (const { file: name, line, detail } of report.warnings) {
    writeWarning(io, `${name ?? ''}${line === null ? '' : `:${line}`}${name === null ? '' : ': '}${detail}`)
  }
  return report
}

async function openUpload(io: Io, files: readonly ZipEntry[]): Promise<AsyncDisposable & { path: string }> {
  const [only] = files
  if (only && files.length === 1) return { path: only.path, async [Symbol.asyncDispose]() {} }
  return await writeTemporaryZip(files, io.signal)
}
