export interface IndexedSymbols {
  kind: 'dsym' | 'proguard'
  bundleIdentifier: string | null
  shortVersion: string | null
  version: string | null
  images: { name: string; uuid: string; architecture: string | null; lookupFile: string }[]
}
export class SymbolsError extends Error {
  detail = ''
}
