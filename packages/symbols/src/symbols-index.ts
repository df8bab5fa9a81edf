import type { IndexedElfImage } from './elf/index-elf.ts'
import type { IndexedImage } from './dsym/index-images.ts'

/** The result of indexing an upload of symbols. */
export type SymbolsIndex = DartMapIndex | DsymIndex | ElfIndex | MappingIndex | SourceMapIndex

export interface DsymIndex {
  kind: 'dsym'
  /** Identity of the app, from its Info.plist. It is only shown; crashes are matched by the images' UUIDs. */
  bundleIdentifier: string | null
  shortVersion: string | null
  version: string | null
  images: IndexedImage[]
  /** Sentences about parts that could not be read or look odd. */
  problems: string[]
}

export interface ElfIndex {
  kind: 'elf'
  /** Whether the upload is an archive, whose entries name the images. */
  isArchive: boolean
  images: IndexedElfImage[]
  problems: string[]
}

export interface MappingIndex {
  kind: 'proguard'
  /** The identifier that R8 gives a mapping and that traces may carry; null for a mapping without one. */
  mapId: string | null
  /** Path of the index that lookups read. Its size, `mappingBytes`, is in bytes. */
  mappingFile: string
  mappingBytes: number
  problems: string[]
}

export interface SourceMapIndex {
  kind: 'sourcemap'
  /** One for each source map of the upload. */
  images: IndexedSourceMap[]
  problems: string[]
}

export interface IndexedSourceMap {
  /** The last part of the path of the bundle that the map is of; null if nothing tells it. */
  bundleName: string | null
  /** In lower case with hyphens; null if the map has none. */
  debugId: string | null
  /** Path of the file that lookups read. Its size, `lookupBytes`, is in bytes. */
  lookupFile: string
  lookupBytes: number
}

/** An obfuscation map of Dart. It names no build itself; the uploader tells the debug id of the build's symbols. */
export interface DartMapIndex {
  kind: 'dartmap'
  lookupFile: string
  lookupBytes: number
  problems: string[]
}
