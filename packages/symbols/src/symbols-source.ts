import type { FindImage } from './report/symbolicate-crash.ts'

/** The mapping that an Android trace asks for. */
export interface MappingQuery {
  /** The identifier that R8 put into the trace; null if there is none and the caller has to choose by other means. */
  mapId: string | null
}

/** Gives the path of a mapping's index; for a chain of mappings, the app's first; undefined if there is none. */
export type FindMapping = (
  query: MappingQuery,
) => string | readonly string[] | undefined | Promise<string | readonly string[] | undefined>

/** Gives the path of the lookup file of a bundle's source map; the name is `''` if frames do not tell it. */
export type FindSourceMap = (bundleName: string) => string | undefined | Promise<string | undefined>

/** Finds symbols: the functions give paths of files that `indexSymbols` wrote. */
export interface SymbolsSource {
  findImage: FindImage
  findMapping: FindMapping
  /**
   * Finds the obfuscation map of a Dart build by the debug id of its symbols; an empty id stands for symbols that the
   * caller has chosen.
   */
  findDartMap?: (debugId: string) => string | undefined | Promise<string | undefined>
  /** Needed for stacks of JavaScript only. */
  findSourceMap?: FindSourceMap
}
