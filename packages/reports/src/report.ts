/** The form that reports of every format are read into. */

export type Outcome = 'passed' | 'failed' | 'skipped'

export type ReportFormat = 'junit' | 'ctrf' | 'allure' | 'xcresulttool' | 'xcresult' | 'instrumentation'

export interface Place {
  file: string
  line: number | null
}

export interface Failure {
  /** The name of the element or field: `failure`, `error`, `flakyFailure`, `issue` … */
  kind: string
  /** The class of the exception, where the report names one. */
  type: string | null
  /** At most 4 KiB of UTF-8. */
  message: string | null
  place: Place | null
  /** Where the whole text lies in the details file (see `openDetails`); null where the message is all there is. */
  details: number | null
}

export interface Attempt {
  outcome: Outcome
  /** Milliseconds, fractions allowed. */
  durationMs: number | null
  failures: Failure[]
}

export interface Output {
  stream: 'out' | 'err'
  /** Where the text lies in the details file. */
  details: number
}

export interface AttachmentReference {
  name: string
  /** The path as the report gives it; a `data:` URI is cut to its media type. */
  path: string
  contentType: string | null
  /** The index of the file in `ReportSummary.attachments`; null where it is missing or elsewhere (`https:`). */
  file: number | null
}

/**
 * What joined several rows of a report into the attempts of one case: elements inside the row, a property, or the path
 * of the file in the archive. Equal rows without a mark are cases #1, #2 …: whether they are retries, only history
 * tells.
 */
export type RetryMark = 'elements' | 'repetition' | 'path'

export interface ReportCase {
  /** 32 hexadecimal digits (see `identify`). */
  identity: string
  suite: string | null
  class: string | null
  name: string
  parameters: string | null
  file: string | null
  environment: string | null
  /** Counts the cases of one identity and environment from 1. */
  case: number
  outcome: Outcome
  /** It passed after a failed attempt. */
  isFlaky: boolean
  durationMs: number | null
  /** In the order of time; the outcome is that of the last. Never empty. */
  attempts: Attempt[]
  retryMark: RetryMark | null
  outputs: Output[]
  attachments: AttachmentReference[]
  /** The path inside the archive of the file that has it; `''` is the upload itself. */
  source: string
}

/** What a test wrote outside of any case. */
export interface SuiteOutput extends Output {
  suite: string | null
  source: string
}

export type WarningCode =
  | 'forbiddenCharacters'
  | 'badEncoding'
  | 'entity'
  | 'nameCut'
  | 'unknownStatus'
  | 'attachmentMissing'
  | 'attachmentTooLarge'
  | 'noCases'
  | 'processCrashed'
  | 'unended'
  | 'fewerThanAnnounced'
  | 'unsupportedReport'
  | 'brokenFile'
  | 'summaryOnly'

export interface Warning {
  code: WarningCode
  /** The path inside the archive; null is the upload itself. */
  file: string | null
  line: number | null
  detail: string
}

export interface Counts {
  cases: number
  passed: number
  /** Errored cases included. */
  failed: number
  skipped: number
  /** Passed after a failed attempt; counted in `passed` as well. */
  flaky: number
  attempts: number
}

/** A file of the upload that a case names, copied out of it. */
export interface ExtractedAttachment {
  /** The path inside the archive, or the media type of a `data:` URI. */
  source: string
  /** The path of the copy in the folder that was given. */
  path: string
  size: number
  /** Hexadecimal digits. */
  sha256: string
  contentType: string | null
}

export interface ReadFile {
  source: string
  format: ReportFormat
  counts: Counts
}

export interface ReportSummary {
  /** That of the files; `archive` where the upload was one, unless it held a single result bundle. */
  format: ReportFormat | 'archive'
  counts: Counts
  warnings: Warning[]
  files: ReadFile[]
  /** A broken file was left out, as asked for. */
  isIncomplete: boolean
  /** Cases were announced and none ran because the process crashed: never green. */
  isInfrastructureFailure: boolean
  suiteOutputs: SuiteOutput[]
  attachments: ExtractedAttachment[]
  /** Read it with `listCases`. */
  casesPath: string
  /** Read it with `openDetails`. */
  detailsPath: string
}
