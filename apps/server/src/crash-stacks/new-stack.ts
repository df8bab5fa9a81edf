import type { PackedStack, SymbolNeeds } from '@fairlead/crashes'
import type { FoundSymbols } from './find-symbols.ts'

/** A stack that is not in the database yet. */
export interface NewStack {
  found: FoundSymbols
  packed: PackedStack
  needs: SymbolNeeds
}
