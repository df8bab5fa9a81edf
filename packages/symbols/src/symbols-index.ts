import type { IndexedImage } from './dsym/index-images.ts'

/** What an upload of symbols turned out to be. */
export type SymbolsIndex = DsymIndex | MappingIndex

export interface DsymIndex {
  kind: 'dsym'
  /** Of the app, from its Info.plist; for showing only, crashes are matched by the images' UUIDs. */
  bundleIdentifier: string | null
  shortVersion: string | null
  version: string | null
  images: IndexedImage[]
  /** What could not be read or looks odd, as sentences. */
  problems: string[]
}

export interface MappingIndex {
  kind: 'proguard'
  /** The identifier that R8 gives a mapping and that traces may carry; null for a mapping without one. */
  mapId: string | null
  /** Path of the index that lookups read, and its size in bytes. */
  mappingFile: string
  mappingBytes: number
  problems: string[]
}
