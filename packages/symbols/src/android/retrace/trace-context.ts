/** What earlier lines of a trace say about the next. */
export interface TraceContext {
  /** Obfuscated name of the exception that the line above names. */
  readonly thrown?: string
  /** Line in an outline, when the frame above was one. */
  readonly outlineLine?: number
}

export const emptyContext: TraceContext = {}
