/** A symbolicated report; Apple and Android have the same shape. */
export interface SymbolicatedReport {
  kind: 'apple' | 'android' | 'native' | 'dart' | 'javascript'
  /** The report with its frames resolved, ready to read. */
  text: string
  threads: SymbolicatedThread[]
  /** Images whose frames could not be resolved, each once. */
  missingSymbols: MissingSymbols[]
  /** The symbols that were used, as `findImage` and `findMapping` gave them. */
  usedImages: UsedImage[]
  usedMappings: string[]
  /** Sentences that say why parts of the report stayed as they were. */
  warnings: string[]
}

export interface SymbolicatedThread {
  name: string | null
  crashed: boolean
  /** What was thrown there, with its message; only of Java, Kotlin and JavaScript, and only if the report says it. */
  exception?: string
  /** Innermost first. */
  frames: SymbolicatedFrame[]
}

export interface SymbolicatedFrame {
  /** Demangled; null if nothing is known. */
  function: string | null
  file: string | null
  /** Line 0 marks code that the compiler generated and that belongs to no line. */
  line: number | null
  column: number | null
  /** The binary of a frame of native code, by name; null for Java and Kotlin. */
  module: string | null
  /** In hexadecimal, with 0x, because it may not fit a JSON number; null for Java and Kotlin. */
  address: string | null
  /** Whether this code was inlined into the frame after it. */
  inlined: boolean
  /** Other possible frames, if the mapping is ambiguous. */
  alternatives: SymbolicatedFrame[][]
  /** The line of the report that this frame comes from. */
  raw: string
}

export interface MissingSymbols {
  name: string
  uuid: string | null
  architecture: string | null
  /** The build id of an ELF file in hexadecimal; null if there is none. */
  codeId: string | null
}

export interface UsedImage extends MissingSymbols {
  lookupFile: string
}
