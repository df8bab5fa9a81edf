/** The result of symbolication, for Apple and Android alike. */
export interface SymbolicatedReport {
  kind: 'apple' | 'android'
  /** The report with its frames resolved. */
  text: string
  threads: SymbolicatedThread[]
  /** Each image that has unresolved frames, once. */
  missingSymbols: MissingSymbols[]
  /** The symbols that were used, as `findImage` and `findMapping` returned them. */
  usedImages: UsedImage[]
  usedMappings: string[]
  /** Sentences that say why parts of the report were not resolved. */
  warnings: string[]
}

export interface SymbolicatedThread {
  name: string | null
  crashed: boolean
  /** Innermost first. */
  frames: SymbolicatedFrame[]
}

export interface SymbolicatedFrame {
  /** Demangled; null if it is not known. */
  function: string | null
  file: string | null
  /** Line 0 stands for code that the compiler generated and that belongs to no line. */
  line: number | null
  column: number | null
  /** The name of the binary, for Apple reports; null on Android. */
  module: string | null
  /** Hexadecimal with 0x, because a JSON number cannot hold every 64-bit address; null on Android. */
  address: string | null
  /** Whether this code was inlined into the next frame of the list. */
  inlined: boolean
  /** Other frames that may be meant, if a mapping is ambiguous. */
  alternatives: SymbolicatedFrame[][]
  /** The line of the report that this frame comes from. */
  raw: string
}

export interface MissingSymbols {
  name: string
  uuid: string | null
  architecture: string | null
}

export interface UsedImage extends MissingSymbols {
  lookupFile: string
}
