/** The messages between `createSymbolicator` and its process: one request at a time, one answer to each. */
import type { ReportContents } from '../read-report.ts'
import type { ReportPlatform } from '../report/detect-platform.ts'
import type { SymbolicatedReport } from '../symbolicated.ts'
import type { SymbolsErrorCode } from '../symbols-error.ts'

/** Paths of files that `indexSymbols` wrote. */
export interface SymbolsPaths {
  /** Lookup files by the UUID of their image, in any spelling of upper and lower case. */
  lookupFiles?: Readonly<Record<string, string>>
  /** Indexes of mappings: of a chain of mappings, the app's first. */
  mappingFiles?: readonly string[]
}

export type SymbolicatorRequest =
  | { verb: 'inspect'; text: string; platform: ReportPlatform }
  | { verb: 'resolve'; paths: SymbolsPaths }
  | { verb: 'forget' }

export type SymbolicatorAnswer =
  | { contents: ReportContents }
  | { report: SymbolicatedReport }
  | { isForgotten: true }
  | { error: { code: SymbolsErrorCode; detail: string } }
