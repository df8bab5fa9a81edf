/** The answer of symbolication: the same for Apple and Android. */
export interface SymbolicatedReport {
  kind: 'apple' | 'android'
  /** The report with its frames resolved, ready to read. */
  text: string
  threads: SymbolicatedThread[]
  /** Images with frames that nothing could resolve, each once. */
  missingSymbols: MissingSymbols[]
  /** What was used, as `findImage` and `findMapping` gave it. */
  usedImages: UsedImage[]
  usedMappings: string[]
  /** Why parts of the report stayed as they were, as sentences. */
  warnings: string[]
}

export interface SymbolicatedThread {
  name: string | null
  crashed: boolean
  /** Innermost first. */
  frames: SymbolicatedFrame[]
}

export interface SymbolicatedFrame {
  /** Demangled; null where nothing is known. */
  function: string | null
  file: string | null
  /** 0 is code that the compiler made and that belongs to no line. */
  line: number | null
  column: number | null
  /** The binary of an Apple frame, by name; null on Android. */
  module: string | null
  /** In hexadecimal, with 0x, because it may not fit a JSON number; null on Android. */
  address: string | null
  /** Whether this code was inlined into the frame after it. */
  inlined: boolean
  /** Other frames that the reported one may stand for, where a mapping is ambiguous. */
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
