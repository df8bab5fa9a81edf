import type { AttachmentReference, Outcome, Place } from '../report.ts'

/** A failure as a reader found it. The recorder cuts the message and writes the text to the details file. */
export interface RowFailure {
  kind: string
  type: string | null
  message: string | null
  text: string
  place: Place | null
}

export interface RowAttempt {
  outcome: Outcome
  durationMs: number | null
  failures: RowFailure[]
  skipReason: string | null
}

export interface RowAttachment {
  name: string | null
  /** A path, a URL, or a `data:` URI. */
  path: string
  contentType: string | null
  /** Bytes are compressed with zstd (Xcode). */
  isZstd?: boolean
  /** Index of the attempt of the row that the file belongs to. A row of one attempt does not need to say it. */
  attempt?: number
}

/** A row of a report of any format: a case, or an attempt of a case. */
export interface Row {
  suite: string | null
  class: string | null
  name: string
  parameters: string | null
  file: string | null
  environment: string | null
  testId: string | null
  /** The duration that the row gives; null stands for that of the last attempt. */
  durationMs: number | null
  attempts: RowAttempt[]
  /** The value that marks a row as one of several attempts, such as `Retry 1`. */
  repetition: string | null
  outputs: { stream: 'out' | 'err'; text: string }[]
  attachments: RowAttachment[]
}

/** Receives what the reader of a file finds. */
export interface RowSink {
  add(row: Row): void
  addSuiteOutput(suite: string | null, stream: 'out' | 'err', text: string): void
  /** Notes how many tests or failures the totals of a file announce beyond those that the file holds. */
  addUnlisted(count: number): void
}

/** Finds the attachments that a row of a file names inside the upload. */
export interface AttachmentResolver {
  resolve(row: Row, source: string): FoundAttachment[]
}

/** An attachment before the recorder says which attempt of its case it belongs to. */
export type FoundAttachment = Omit<AttachmentReference, 'attempt'>
