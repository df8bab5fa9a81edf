/**
 * The model of a native crash of Android, which the text and the Protocol Buffers form of a tombstone are parsed into.
 * Logs, memory and open files of a tombstone are never read, because they hold personal data.
 */
export interface Tombstone {
  /** The architecture as it names libraries (`arm64`); null if it is not said. */
  architecture: string | null
  fingerprint: string | null
  pid: number | null
  /** The crashed thread. It need not be the first thread of the process, whose id is `pid`. */
  tid: number | null
  signal: TombstoneSignal | null
  abortMessage: string | null
  threads: TombstoneThread[]
  /** The tombstone as lines; a frame takes the place of its own line. */
  lines: (string | TombstoneFrame)[]
  warnings: string[]
}

export interface TombstoneSignal {
  name: string
  code: string | null
}

export interface TombstoneThread {
  tid: number | null
  name: string | null
  crashed: boolean
  /** Innermost first. */
  frames: TombstoneFrame[]
}

export interface TombstoneFrame {
  index: number
  /** The program counter as an address of the ELF file, which the unwinder has corrected for return addresses. */
  pc: number
  path: string
  /** The name of the library: the last part of the path behind `/` and `!`. */
  module: string
  /** The function that the device found; null if it found none. */
  function: string | null
  functionOffset: number
  /** In hexadecimal, lower case; null if the report has none. */
  buildId: string | null
  raw: string
}

/** Limits of one tombstone; what is beyond is left out, with a warning. */
export const tombstoneLimits = { frames: 20_000, threads: 10_000, nameLength: 4096, buildIdLength: 128 } as const

/** The library's own name in a path such as `/data/app/…/base.apk!libatlas.so`. */
export function toModule(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('!')) + 1)
  return name === '' ? path : name
}
