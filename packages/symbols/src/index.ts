export { indexSymbols, type IndexSymbolsOptions } from './index-symbols.ts'
export type { IndexedImage } from './dsym/index-images.ts'
export { openLookup, type Lookup } from './lookup/lookup.ts'
export { formatVersion as lookupFormatVersion } from './lookup/format.ts'
export type { SourceFrame } from './lookup/block.ts'
export { readSymbols } from './read-symbols.ts'
export type {
  MissingSymbols,
  SymbolicatedFrame,
  SymbolicatedReport,
  SymbolicatedThread,
  UsedImage,
} from './symbolicated.ts'
export { SymbolsError, type SymbolsErrorCode } from './symbols-error.ts'
export type { DsymIndex, MappingIndex, SymbolsIndex } from './symbols-index.ts'
