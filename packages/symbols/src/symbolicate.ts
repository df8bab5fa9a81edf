import { readReport } from './read-report.ts'
import { detectPlatform, type ReportPlatform } from './report/detect-platform.ts'
import type { SymbolicatedReport } from './symbolicated.ts'
import type { SymbolsSource } from './symbols-source.ts'

export interface SymbolicateOptions {
  /** The platform of the report. By default it is detected from the text, which fails for some logs with JSON. */
  platform?: ReportPlatform
}

/**
 * Resolves a crash report: `.ips`, legacy `.crash`, a payload of MetricKit, or an Android trace or log. Reads are small
 * and synchronous; a report of twenty frames takes some milliseconds. Frames whose symbols are missing or unreadable
 * stay as they were, with the reason among the warnings. Rejects with SymbolsError `malformed-report`,
 * `unknown-report`, `too-large`.
 */
export async function symbolicate(
  text: string,
  source: SymbolsSource,
  { platform = detectPlatform(text) }: SymbolicateOptions = {},
): Promise<SymbolicatedReport> {
  return await readReport(text, platform).resolve(source)
}
