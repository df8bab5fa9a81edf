/** The messages between `createSymbolicator` and its process: one request at a time, one answer to each. */
import type { ReportContents } from '../read-report.ts'
import type { ReportPlatform } from '../report/detect-platform.ts'
import type { SymbolicatedReport } from '../symbolicated.ts'
import type { SymbolsErrorCode } from '../symbols-error.ts'

/** Paths of files that `indexSymbols` wrote. */
export interface SymbolsPaths {
  /** Lookup files by the UUID of their image, in any spelling of upper and lower case. */
  lookupFiles?: Readonly<Record<string, string>>
  /** Paths of the indexes of mappings. In a chain of mappings, the app's comes first. */
  mappingFiles?: readonly string[]
  /** Indexes of Dart's obfuscation maps by the debug id of the symbols that they belong to. */
  dartMaps?: Readonly<Record<string, string>>
  /** Lookup files of source maps by the name of their bundle, as the report's images name it. */
  sourceMaps?: Readonly<Record<string, string>>
  /** Sentences of the caller about symbols that it did not find, which become warnings of the answer. */
  warnings?: readonly string[]
}

/** A symbolicated report as JSON, serialized in the worker because a large one would block the caller's event loop. */
export interface WrittenReport {
  /** A JSON object in UTF-8: `kind`, `text`, `threads`, `missingSymbols` and `warnings` of a SymbolicatedReport. */
  json: Uint8Array<ArrayBuffer>
  usedLookupFiles: string[]
  usedMappings: string[]
}

export type SymbolicatorRequest =
  | { verb: 'inspect'; text: string | Uint8Array; platform: ReportPlatform }
  | { verb: 'resolve' | 'resolveToJson'; paths: SymbolsPaths }
  | { verb: 'forget' }

export type SymbolicatorAnswer =
  | { contents: ReportContents }
  | { report: SymbolicatedReport }
  | { written: WrittenReport }
  | { isForgotten: true }
  | { error: { code: SymbolsErrorCode; detail: string } }
