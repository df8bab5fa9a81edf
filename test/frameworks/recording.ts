/** What a test framework wrote at every step of the history. */
export interface Recording {
  framework: string
  runs: RecordedRun[]
}

export interface RecordedRun {
  step: string
  branch: string
  commit: string
  exitCode: number
  output: string
  /** The files of each format by their paths; bytes that are no text as base64. */
  formats: Record<string, Record<string, string | { base64: string }>>
}
