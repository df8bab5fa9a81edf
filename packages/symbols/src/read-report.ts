import { detectMapId } from './android/trace/map-id.ts'
import { retraceReport } from './retrace-report.ts'
import { checkReportSize } from './report/check-report-size.ts'
import type { ReportPlatform } from './report/detect-platform.ts'
import { listFrameImages } from './report/list-frame-images.ts'
import { parseReport } from './report/parse-report.ts'
import { symbolicateCrash } from './report/symbolicate-crash.ts'
import type { MissingSymbols, SymbolicatedReport } from './symbolicated.ts'
import type { SymbolsSource } from './symbols-source.ts'

/** The symbols that a report asks for. */
export interface ReportContents {
  kind: ReportPlatform
  /** The images that frames lie in, each once; empty for an Android trace. */
  images: MissingSymbols[]
  /** The mapping that an Android trace names; null if it names none. */
  mapId: string | null
}

/** A parsed report that waits for its symbols. */
export interface ReadReport {
  contents: ReportContents
  resolve(source: SymbolsSource): Promise<SymbolicatedReport>
}

/**
 * Parses a report once, so that its symbols can be looked for before it is resolved.
 * Throws `malformed-report`, `unknown-report`, `too-large`.
 */
export function readReport(text: string, platform: ReportPlatform): ReadReport {
  checkReportSize(text)
  if (platform === 'android') {
    const mapId = detectMapId(text) ?? null
    return {
      contents: { kind: 'android', images: [], mapId },
      resolve: ({ findMapping }) => retraceReport(text, mapId, findMapping),
    }
  }
  const report = parseReport(text)
  return {
    contents: { kind: 'apple', images: listFrameImages(report), mapId: null },
    resolve: ({ findImage }) => symbolicateCrash(report, findImage),
  }
}
