import type { IndexedImage } from './dsym/index-images.ts'

/** The result of reading uploaded symbols. */
export type SymbolsIndex = DsymIndex | MappingIndex

export interface DsymIndex {
  kind: 'dsym'
  /** From the Info.plist of the bundle, for display only: crashes are matched by the UUIDs of images. */
  bundleIdentifier: string | null
  shortVersion: string | null
  version: string | null
  images: IndexedImage[]
  /** Sentences about what could not be read. */
  problems: string[]
}

export interface MappingIndex {
  kind: 'proguard'
  /** The map id that R8 gives a mapping and writes into traces; null if the mapping has none. */
  mapId: string | null
  /** The path and the size in bytes of the index that lookups read. */
  mappingFile: string
  mappingBytes: number
  problems: string[]
}
