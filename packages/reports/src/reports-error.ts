/** One sentence for each kind of fault. The keys are the closed set of codes. */
const sentences = {
  unreadable: 'The file could not be read.',
  'not-a-report': 'The file is not a test report of a known format.',
  'no-report': 'The archive holds no test report.',
  'unsupported-report': 'This format of test report is not supported.',
  malformed: 'The report is damaged.',
  'malformed-archive': 'The archive is damaged or uses a feature that is not supported.',
  'no-database': 'The result bundle has no database.',
  'too-large': 'A part of the upload exceeds the limit for it.',
  timeout: 'Reading the report took too long.',
  'out-of-memory': 'Reading the report took too much memory.',
  crashed: 'Reading the report ended unexpectedly.',
} as const

export type ReportsErrorCode = keyof typeof sentences

export interface ErrorPlace {
  /** The path inside the archive; `''` is the upload itself. */
  source?: string
  /** The line number, starting at 1. */
  line?: number | null
}

/**
 * The only error that this package throws about its input. The message is the sentence of the code, then the detail.
 */
export class ReportsError extends Error {
  override readonly name = 'ReportsError'
  readonly code: ReportsErrorCode
  readonly detail: string
  readonly source: string
  readonly line: number | null

  constructor(code: ReportsErrorCode, detail = '', place: ErrorPlace = {}, options?: ErrorOptions) {
    const at = place.line ? ` Line ${place.line}.` : ''
    super([sentences[code], detail].filter((part) => part !== '').join(' ') + at, options)
    this.code = code
    this.detail = detail
    this.source = place.source ?? ''
    this.line = place.line ?? null
  }
}

/** Runs the reader of one file and adds the path of the file to its errors. */
export async function withSource<T>(source: string, read: () => Promise<T> | T): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof ReportsError) || error.source !== '') throw error
    throw new ReportsError(error.code, error.detail, { source, line: error.line }, { cause: error })
  }
}
