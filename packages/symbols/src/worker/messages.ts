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
export interface WrittenReport extends UsedSymbols {
  /**
   * The pieces of a JSON object in UTF-8: `kind`, `text`, `threads`, `missingSymbols` and `warnings` of a
   * SymbolicatedReport. There is at least one, and the last ends with the closing brace.
   */
  json: Uint8Array[]
}

export interface UsedSymbols {
  usedLookupFiles: string[]
  usedMappings: string[]
}

/**
 * Bytes of a report that one message carries. A message is copied twice on its way, in one turn of the event loop, so a
 * report of 16 MiB goes in several, and other requests come between them.
 */
export const messageBytes = 2 ** 20

export type SymbolicatorRequest =
  /** A part of the report, which comes before the text of `inspect`. The first part drops those of other reports. */
  | { verb: 'receive'; pieces: Uint8Array[]; isFirst: boolean }
  | { verb: 'inspect'; text: string | Uint8Array[]; platform: ReportPlatform }
  | { verb: 'resolve' | 'resolveToJson'; paths: SymbolsPaths }
  /** The next piece of the JSON that `resolveToJson` wrote. */
  | { verb: 'send' }
  | { verb: 'forget' }

export type SymbolicatorAnswer =
  | { contents: ReportContents }
  | { report: SymbolicatedReport }
  | { written: UsedSymbols; pieces: number }
  | { piece: Uint8Array }
  | { isReceived: true }
  | { isForgotten: true }
  | { error: { code: SymbolsErrorCode; detail: string } }
