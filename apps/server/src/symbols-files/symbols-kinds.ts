/** What differs between the kinds of symbols when they are uploaded. */
import { ApiError, type SymbolsKind } from '@fairlead/contract'
import type { SymbolsIndex } from '@fairlead/symbols'
import type { ApplicationRow } from '../applications/application.ts'

/** What describes a file: read from it, or told by the client. */
export interface ToldColumns {
  bundleIdentifier: string | null
  shortVersion: string | null
  version: string | null
  /** The id that the build gave the file. A mapping's is the UUIDv5 of its bytes by default. */
  debugId?: string | null | undefined
  /** The name of the bundle that a source map is of. */
  bundleName?: string | null | undefined
}

/** The kinds of files whose package and version are told by the client. */
export type ToldKind = 'dartmap' | 'proguard' | 'sourcemap'

export function isTold(kind: SymbolsKind): kind is ToldKind {
  return kind === 'proguard' || kind === 'sourcemap' || kind === 'dartmap'
}

const noColumns: ToldColumns = { bundleIdentifier: null, shortVersion: null, version: null }

export function toColumns(indexed: SymbolsIndex): ToldColumns {
  return indexed.kind === 'dsym' ? indexed : noColumns
}

interface KindRule {
  words: string
  /** The platforms of the applications that take it. */
  platforms: readonly ApplicationRow['platform'][]
}

const kinds: Record<SymbolsKind, KindRule> = {
  proguard: { words: 'a mapping, which is for android', platforms: ['android'] },
  dsym: { words: 'dSYMs, which are for ios', platforms: ['ios'] },
  elf: { words: 'ELF files, which are for android and for Flutter on ios', platforms: ['android', 'ios'] },
  sourcemap: { words: 'source maps, which are for all applications', platforms: ['android', 'ios'] },
  dartmap: { words: 'an obfuscation map, which is for android and ios', platforms: ['android', 'ios'] },
}

export function refuseWrongPlatform({ kind }: SymbolsIndex, { platform }: ApplicationRow): void {
  const { words, platforms } = kinds[kind]
  if (platforms.includes(platform)) return
  throw new ApiError('wrongSymbols', { detail: `The file holds ${words}; the application is for ${platform}` })
}
