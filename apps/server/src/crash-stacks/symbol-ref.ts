import type { SymbolsKind } from '@fairlead/contract'

/** Begins the references to images that are known by their names alone. */
export const unknownImage = 'name:'

/** One way to name symbols, as a row of `crash_waits` stores it. */
export interface SymbolRef {
  kind: SymbolsKind
  ref: string
  name: string | null
  /** The build id of an ELF file in hexadecimal. */
  codeId: string | null
  isNeeded: boolean
  isFound: boolean
}
