export { openLookup, type Lookup } from './lookup/lookup.ts'
export type { SourceFrame } from './lookup/block.ts'
export { SymbolsError, type SymbolsErrorCode } from './symbols-error.ts'
