/** A stretch of text within bytes that hold more. */
export interface TextRange {
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
}
