/** One sentence for each kind of fault. The keys are the closed set of codes. */
const sentences = {
  malformed: 'The report cannot be read.',
  'too-large': 'The report is over a limit.',
  'no-crash': 'The text is no crash report of a known form.',
} as const

export type CrashesErrorCode = keyof typeof sentences

/** The only error that this package throws about its input. */
export class CrashesError extends Error {
  override readonly name = 'CrashesError'
  readonly code: CrashesErrorCode
  readonly detail: string

  constructor(code: CrashesErrorCode, detail = '', options?: ErrorOptions) {
    super(detail === '' ? sentences[code] : `${sentences[code]} ${detail}`, options)
    this.code = code
    this.detail = detail
  }
}
