import { SymbolsKind } from '@fairlead/contract'
import { z } from 'zod'
import { type Alias, Sentence, sentence, toUuidOrNull, Uuid } from './trusted.ts'

/** Symbols that a crash waits for, and the command that uploads them. */
export const MissingSymbols = z.object({ kind: SymbolsKind, uuid: Uuid.nullable(), command: Sentence })

export function toMissingSymbols(kind: SymbolsKind, uuid: string | null, alias: Alias, buildId: number | null) {
  return { kind, uuid: toUuidOrNull(uuid), command: toCommand(kind, alias, buildId) }
}

function toCommand(kind: SymbolsKind, alias: Alias, buildId: number | null): Sentence {
  if (kind === 'dsym') return sentence`fairlead symbols upload App.xcarchive --app ${alias}`
  if (kind !== 'proguard') return sentence`fairlead symbols upload . --app ${alias}`
  if (buildId === null) return sentence`fairlead symbols upload mapping.txt --app ${alias}`
  return sentence`fairlead symbols upload mapping.txt --app ${alias} --for ${buildId}`
}
