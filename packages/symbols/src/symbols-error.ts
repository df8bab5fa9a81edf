/** One sentence for each kind of fault. The keys are the closed set of codes. */
const sentences = {
  unreadable: 'The file could not be read.',
  'unknown-format': 'The file is neither a zip archive of dSYMs nor a ProGuard or R8 mapping.',
  'malformed-zip': 'The zip archive is damaged or uses a feature that is not supported.',
  'no-symbols': 'The zip archive holds no dSYM and no mapping.',
  'no-source-maps': 'The bundle holds no source map.',
  'no-mach-o': 'None of the debug files is a Mach-O file that can be read.',
  'malformed-mach-o': 'The Mach-O file is damaged.',
  'malformed-elf': 'The ELF file is damaged.',
  'no-build-id': 'The ELF file has no build id, so no crash can be matched with it.',
  'no-uuid': 'The Mach-O file has no UUID, so no crash can be matched with it.',
  'malformed-source-map': 'The source map cannot be read.',
  'malformed-mapping': 'The mapping cannot be read.',
  'malformed-dart-map': 'The obfuscation map cannot be read.',
  'malformed-expression': 'The expression for the lines of a trace cannot be read.',
  'malformed-lookup': 'The lookup file is damaged.',
  'outdated-lookup': 'The lookup file has another version than this program writes; build it again.',
  'malformed-report': 'The crash report is damaged.',
  'unknown-report': 'Nothing in the text can be read as a crash report.',
  'too-large': 'It exceeds a limit.',
  timeout: 'Reading it took too long.',
  'out-of-memory': 'Reading it took too much memory.',
  crashed: 'Reading it failed unexpectedly.',
  exited: 'Reading it ended without an answer.',
} as const

export type SymbolsErrorCode = keyof typeof sentences

/** The only error that this package throws about its input. The message is the sentence of the code, then `detail`. */
export class SymbolsError extends Error {
  override readonly name = 'SymbolsError'
  readonly code: SymbolsErrorCode
  readonly detail: string

  constructor(code: SymbolsErrorCode, detail = '', options?: ErrorOptions) {
    super(detail === '' ? sentences[code] : `${sentences[code]} ${detail}`, options)
    this.code = code
    this.detail = detail
  }
}
