/** The limits of one upload. Sizes are in bytes unless a comment says characters. */
export interface ReportLimits {
  /** The inflated size of all files of the upload. */
  maxInflatedBytes: number
  maxEntries: number
  /** The inflated size of one report. */
  maxReportBytes: number
  /** The size of one JSON report, which is parsed as a whole. */
  maxJsonBytes: number
  maxDepth: number
  maxCases: number
  /** The number of failures, attempts or attachments of one case. */
  maxPartsPerCase: number
  /** The length of the name of a case, class, suite or file, in UTF-16 code units. */
  maxNameCharacters: number
  maxFailureCharacters: number
  /** The length of the start and of the end of an output that are kept, in UTF-16 code units. */
  maxOutputCharacters: number
  maxAttachmentBytes: number
  /** The size of all files that are written: cases, details and attachments. */
  maxWrittenBytes: number
}

const mebibyte = 1024 * 1024

export const defaultLimits: ReportLimits = {
  maxInflatedBytes: 4096 * mebibyte,
  maxEntries: 50_000,
  maxReportBytes: 512 * mebibyte,
  maxJsonBytes: 64 * mebibyte,
  maxDepth: 64,
  maxCases: 250_000,
  maxPartsPerCase: 10_000,
  maxNameCharacters: 1_000,
  maxFailureCharacters: 256 * 1024,
  maxOutputCharacters: mebibyte,
  maxAttachmentBytes: 128 * mebibyte,
  maxWrittenBytes: 4096 * mebibyte,
}

/** The length of a failure's message in bytes of UTF-8. */
export const maxMessageBytes = 4096
