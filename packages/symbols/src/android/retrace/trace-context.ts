/** Information from the preceding lines of a trace that the next line needs. */
export interface TraceContext {
  /** The obfuscated name of the exception on the preceding line. */
  readonly thrown?: string
  /** The line in an outline, if the preceding frame was one. */
  readonly outlineLine?: number
}

export const emptyContext: TraceContext = {}
