/** A range of a larger buffer: `start` is included, `end` is not. */
export interface TextRange {
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
}
