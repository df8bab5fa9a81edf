/** A crash report of an Apple system, as the symbolicator needs it: whatever its form was. */

/** A binary that was loaded, and where. */
export interface ReportImage {
  name: string
  /** Upper case with dashes; null where the report gives none that can be one. */
  uuid: string | null
  architecture: string | null
  /** Where the file lay on the device; null where the report does not say. */
  path: string | null
  /** Address where it was loaded, and the first one past it. */
  base: number
  end: number
}

/** One frame as it was reported. */
export interface ReportFrame {
  /** Its number in its thread. */
  index: number
  image: ReportImage | undefined
  /** The name of the image as the frame gives it. */
  module: string | null
  /** The program counter, or the address that the callee returns to; undefined where the report gives none that can be used. */
  address: number | undefined
  /** The offset of that address in its image; undefined where it cannot be told. */
  offset: number | undefined
  /** Whether the instruction is the one before the address. True for all frames but the one that the thread stopped in. */
  isReturnAddress: boolean
  /** Whether the report itself says that this code was inlined into the frame after it, which has the same address. */
  isInlined: boolean
  /** What the device itself could tell. */
  symbol: string | null
  file: string | null
  line: number | null
  /** The line of text that stands for it. */
  raw: string
}

export interface ReportThread {
  name: string | null
  crashed: boolean
  frames: ReportFrame[]
}

export interface CrashReport {
  images: ReportImage[]
  threads: ReportThread[]
  /** The report as text, line by line: a frame stands for its own line. */
  lines: (string | ReportFrame)[]
  /** Why something in it cannot be symbolicated, as sentences. */
  warnings: string[]
}
