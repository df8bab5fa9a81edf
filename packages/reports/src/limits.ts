/** The limits of one upload. Sizes are bytes unless they say characters. */
export interface ReportLimits {
  /** Of everything inside the upload, inflated. */
  maxInflatedBytes: number
  maxEntries: number
  /** Of one report, inflated. */
  maxReportBytes: number
  /** Of one JSON report, which is parsed as a whole. */
  maxJsonBytes: number
  maxDepth: number
  maxCases: number
  /** Failures, attempts or attachments of one case. */
  maxPartsPerCase: number
  /** Of a name, a class, a suite, a file: UTF-16 code units. */
  maxNameCharacters: number
  maxFailureCharacters: number
  /** Kept of the start and again of the end of an output: UTF-16 code units. */
  maxOutputCharacters: number
  maxAttachmentBytes: number
  /** Of what is written: cases, details and attachments. */
  maxWrittenBytes: number
}

const mebibyte = 1024 * 1024

export const defaultLimits: ReportLimits = {
  maxInflatedBytes: 4096 * mebibyte,
  maxEntries: 50_000,
  maxReportBytes: 512 * mebibyte,
  maxJsonBytes: 64 * mebibyte,
  maxDepth: 64,
  maxCases: 1_000_000,
  maxPartsPerCase: 10_000,
  maxNameCharacters: 1_000,
  maxFailureCharacters: 256 * 1024,
  maxOutputCharacters: mebibyte,
  maxAttachmentBytes: 128 * mebibyte,
  maxWrittenBytes: 4096 * mebibyte,
}

/** Bytes of UTF-8 that a failure's message may have. */
export const maxMessageBytes = 4096
