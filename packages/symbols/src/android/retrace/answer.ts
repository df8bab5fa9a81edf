/** What stands for a line of the trace once it is restored. */
import type { TraceLine } from '../trace/trace-line.ts'
import type { RestoredLine } from './restored-line.ts'

/** A line of the answer: a line, and what its parts are restored to. */
export interface AnswerLine {
  readonly source: TraceLine
  readonly restored: RestoredLine
}

export interface Answer {
  /** Each as the lines that stand for the line of the trace. None where the compiler made all of it. */
  readonly alternatives: readonly (readonly AnswerLine[])[]
  /** How many alternatives more there are, which are not given. */
  readonly leftOut: number
}
