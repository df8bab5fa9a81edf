export { buildMappingIndex, type MappingSummary } from './android/index/build-mapping-index.ts'
export { formatVersion as mappingIndexVersion, type MappingHeader } from './android/index/index-format.ts'
export { compileLineExpression } from './android/expression/line-expression.ts'
export { areSameMapId, detectMapId } from './android/trace/map-id.ts'
export { type Mapping, type MappingOptions, openMapping } from './android/index/mapping.ts'
export { retrace, type RetracedTrace, retraceStream, retraceText } from './android/retrace/retrace.ts'
export type { RetraceOptions } from './android/retrace/trace-rewriter.ts'
export { demangle, type DemangleOptions } from './demangle/demangle.ts'
export type { IndexedImage } from './dsym/index-images.ts'
export { indexSymbols, type IndexSymbolsOptions } from './index-symbols.ts'
export type { SourceFrame } from './lookup/block.ts'
export { formatVersion as lookupFormatVersion } from './lookup/format.ts'
export { type Lookup, openLookup } from './lookup/lookup.ts'
export { readSymbols } from './read-symbols.ts'
export { type ReadReport, readReport, type ReportContents } from './read-report.ts'
export { detectPlatform, type ReportPlatform } from './report/detect-platform.ts'
export type { CrashReport as AppleReport } from './report/crash-report.ts'
export { parseReport as parseAppleReport } from './report/parse-report.ts'
export { isSystemImage } from './report/system-image.ts'
export type { FindImage, ImageQuery } from './report/symbolicate-crash.ts'
export { symbolicate, type SymbolicateOptions } from './symbolicate.ts'
export type {
  MissingSymbols,
  SymbolicatedFrame,
  SymbolicatedReport,
  SymbolicatedThread,
  UsedImage,
} from './symbolicated.ts'
export { SymbolsError, type SymbolsErrorCode } from './symbols-error.ts'
export type { FindMapping, MappingQuery, SymbolsSource } from './symbols-source.ts'
export type { DsymIndex, MappingIndex, SymbolsIndex } from './symbols-index.ts'
export type { SymbolsPaths, WrittenReport } from './worker/messages.ts'
export {
  createSymbolicator,
  type InspectedReport,
  type InspectOptions,
  type Symbolicator,
  type SymbolicatorOptions,
} from './worker/symbolicator.ts'
export { type FullQueue, QueueFullError } from '@fairlead/binary'
