import type { AppInfo } from './app-info.ts'

/** The general sentence for each error code. The keys are the closed set of codes. */
const sentences = {
  unreadable: 'The file could not be read.',
  'not-a-zip': 'The file is not a zip archive.',
  'malformed-zip': 'The zip archive is damaged.',
  'malformed-manifest': 'AndroidManifest.xml is damaged.',
  'malformed-dex': 'A file of classes is damaged.',
  'malformed-resources': 'resources.arsc is damaged.',
  'malformed-message': 'The signed message is damaged.',
  'wrong-signature': 'The signature does not fit.',
  'malformed-plist': 'The property list is damaged.',
  'malformed-profile': 'The provisioning profile is damaged.',
  'malformed-signature': 'The APK signing block is damaged.',
  'malformed-image': 'The image is damaged.',
  'too-large': 'A part of the file exceeds the limit for it.',
  ambiguous: 'The file has two parts where one is expected, so two readers may disagree about it.',
  'unsupported-zip': 'The zip archive uses a feature that is not supported.',
  'not-an-app': 'The archive contains neither an Android nor an Apple app.',
  'missing-field': 'A required field is missing.',
  'invalid-identifier': 'The identifier of the app contains characters that are not allowed.',
  'app-bundle':
    'An Android App Bundle (.aab) cannot be installed on a device. Upload an APK instead. ' +
    '"bundletool build-apks --mode=universal" writes an archive that contains one, universal.apk.',
  'split-archive':
    'A set of APKs (.apks, .xapk, .apkm) cannot be installed from a browser. Upload one APK of the app instead. ' +
    '"bundletool build-apks --mode=universal" makes one.',
  timeout: 'Reading the file took too long.',
  'out-of-memory': 'Reading the file took too much memory.',
  crashed: 'The process that read the file ended unexpectedly.',
} as const

export type BinaryErrorCode = keyof typeof sentences

export interface BinaryErrorOptions extends ErrorOptions {
  app?: Partial<AppInfo>
}

/**
 * The only error that this package throws about a file. `detail` says what exactly is wrong; `message` is the sentence
 * of the code followed by the detail.
 */
export class BinaryError extends Error {
  override readonly name = 'BinaryError'
  readonly code: BinaryErrorCode
  readonly detail: string
  /** For `app-bundle` and `split-archive`: the fields of the app that could be read. */
  readonly app: Partial<AppInfo> | undefined

  constructor(code: BinaryErrorCode, detail = '', { app, ...options }: BinaryErrorOptions = {}) {
    super(detail === '' ? sentences[code] : `${sentences[code]} ${detail}`, options)
    this.code = code
    this.detail = detail
    this.app = app
  }
}
