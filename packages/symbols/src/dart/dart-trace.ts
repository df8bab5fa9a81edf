/**
 * The model of a trace that a Dart program prints when its symbols were split off (`--dwarf-stack-traces`).
 */
export interface DartTrace {
  threads: DartThread[]
  /** The report as lines; a frame takes the place of its own line. */
  lines: (string | DartFrame)[]
  warnings: string[]
}

/** One trace of the report. A log may hold several, also of several programs. */
export interface DartThread {
  /** The name of the isolate. */
  name: string | null
  /** The build id in hexadecimal, lower case; null if the trace has none. */
  buildId: string | null
  architecture: string | null
  /** The system in Dart's words, such as android or ios. */
  system: string | null
  /** Innermost first. */
  frames: DartFrame[]
}

export interface DartFrame {
  thread: DartThread
  /** The program counter in memory: that of the call, because the virtual machine takes one off return addresses. */
  address: number | undefined
  /** The same as an address of the ELF file. */
  fileAddress: number | undefined
  /** The place in a section of code, which a symbol and an offset name; undefined if the frame names none. */
  place: DartPlace | undefined
  /** Where the sections of code began in memory, by the lines before the frame. */
  starts: DartStarts | undefined
  /** What a log wrote before the frame. */
  prefix: string
  raw: string
}

export interface DartPlace {
  section: 'isolate' | 'vm'
  offset: number
}

export interface DartStarts {
  isolate: number
  vm: number
}

/** Limits of one report; what is beyond is left out, with a warning. */
export const dartLimits = { frames: 20_000, threads: 1000, buildIdLength: 128 } as const
