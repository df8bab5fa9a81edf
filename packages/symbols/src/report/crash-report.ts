/** The model of an Apple crash report, which all of its file formats are parsed into. */

/** A binary that was loaded, with the range of addresses that it was loaded at. */
export interface ReportImage {
  name: string
  /** Upper case with dashes; null if the report gives no valid UUID. */
  uuid: string | null
  architecture: string | null
  /** The path of the file on the device; null if the report does not give it. */
  path: string | null
  /** The address that it was loaded at, and the first address past it. */
  base: number
  end: number
}

/** One frame as the report gives it. */
export interface ReportFrame {
  /** The number of the frame in its thread. */
  index: number
  image: ReportImage | undefined
  /** The name of the image in the frame's own line. */
  module: string | null
  /** The program counter, or the return address into this frame; undefined if the report gives no usable one. */
  address: number | undefined
  /** The offset of that address in its image; undefined if it is not known. */
  offset: number | undefined
  /**
   * Whether the address is a return address, so that the call is before it. True for all frames but the one that the
   * thread stopped in.
   */
  isReturnAddress: boolean
  /** Whether the report itself marks this code as inlined into the frame after it, which has the same address. */
  isInlined: boolean
  /** The symbol that the device itself found. */
  symbol: string | null
  file: string | null
  line: number | null
  /** The line of the report for this frame. */
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
  /** The report as lines of text; a frame takes the place of its own line. */
  lines: (string | ReportFrame)[]
  /** Sentences that say why parts of it cannot be symbolicated. */
  warnings: string[]
}
