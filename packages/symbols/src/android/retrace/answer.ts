/** The answer to a line of the trace: the lines that replace it. */
import type { TraceLine } from '../trace/trace-line.ts'
import type { RestoredLine } from './restored-line.ts'

/** A line of the trace, and what its parts are restored to. */
export interface AnswerLine {
  readonly source: TraceLine
  readonly restored: RestoredLine
}

export interface Answer {
  /**
   * Each alternative is the list of lines that replace the line of the trace. There are none if the compiler generated
   * all of it.
   */
  readonly alternatives: readonly (readonly AnswerLine[])[]
  /** The number of further alternatives, which are left out. */
  readonly leftOut: number
}
