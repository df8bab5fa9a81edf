/** The common form of test reports of all formats. */

export type Outcome = 'passed' | 'failed' | 'skipped'

export type ReportFormat = 'junit' | 'ctrf' | 'allure' | 'xcresulttool' | 'xcresult' | 'instrumentation'

export interface Place {
  file: string
  line: number | null
}

export interface Failure {
  /** The name of the element or field: `failure`, `error`, `flakyFailure`, `issue` … */
  kind: string
  /** The class of the exception, if the report names one. */
  type: string | null
  /** At most 4 KiB of UTF-8. */
  message: string | null
  place: Place | null
  /** The place of the whole text in the details file (see `openDetails`); null if there is only the message. */
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
  /** The place of the text in the details file. */
  details: number
}

export interface AttachmentReference {
  name: string
  /** The path as the report gives it; a `data:` URI is cut to its media type. */
  path: string
  contentType: string | null
  /** The index of the file in `ReportSummary.attachments`; null if the file is missing or elsewhere (`https:`). */
  file: number | null
  /** Number of the attempt that the file belongs to, starting at 1; null if the report does not say it. */
  attempt: number | null
}

/**
 * The reason why several rows of a report are the attempts of one case: elements inside the row, a property, or the
 * path of the file in the archive. Equal rows without such a mark are cases #1, #2 …, because only their history can
 * tell whether they are retries.
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
  /** Number of the case among those of one identity and environment, starting at 1. */
  case: number
  outcome: Outcome
  /** Whether the case passed after a failed attempt. */
  isFlaky: boolean
  durationMs: number | null
  /** The attempts in chronological order, never empty. The outcome of the last one counts. */
  attempts: Attempt[]
  retryMark: RetryMark | null
  outputs: Output[]
  attachments: AttachmentReference[]
  /** The path of the file inside the archive; `''` is the upload itself. */
  source: string
}

/** Output that was written outside of any case. */
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
  /** The path inside the archive; null means the upload itself. */
  file: string | null
  line: number | null
  detail: string
}

export interface Counts {
  cases: number
  passed: number
  /** Includes cases with errors. */
  failed: number
  skipped: number
  /** Cases that passed after a failed attempt. They count in `passed` as well. */
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
  /** The format of the files; `archive` if the upload was an archive of anything but a single result bundle. */
  format: ReportFormat | 'archive'
  counts: Counts
  /**
   * How many tests or failures the totals of the files announce beyond those that the files hold. Such a report is not
   * all that went wrong, but its cases count as they are.
   */
  unlisted: number
  warnings: Warning[]
  files: ReadFile[]
  /** Whether a broken file was skipped, which `skipBroken` allows. */
  isIncomplete: boolean
  /** Whether the process crashed before it ran the announced cases, so that the run must not count as passed. */
  isInfrastructureFailure: boolean
  suiteOutputs: SuiteOutput[]
  attachments: ExtractedAttachment[]
  /** Read it with `listCases`. */
  casesPath: string
  /** Read it with `openDetails`. */
  detailsPath: string
}
