import type { AppInfo } from './app-info.ts'

/** What can be wrong with a file, in a sentence. The keys are the closed set of codes. */
const sentences = {
  unreadable: 'The file could not be read.',
  'not-a-zip': 'The file is not a zip archive.',
  'malformed-zip': 'The zip archive is damaged.',
  'malformed-manifest': 'AndroidManifest.xml is damaged.',
  'malformed-resources': 'resources.arsc is damaged.',
  'malformed-plist': 'The property list is damaged.',
  'malformed-profile': 'The provisioning profile is damaged.',
  'malformed-signature': 'The APK signing block is damaged.',
  'malformed-image': 'The image is damaged.',
  'too-large': 'A part of the file exceeds the limit for it.',
  ambiguous: 'The file holds two parts where one is expected, so that readers of it may disagree.',
  'unsupported-zip': 'The zip archive uses a feature that is not supported.',
  'not-an-app': 'The archive holds neither an Android nor an Apple app.',
  'missing-field': 'The app does not say what it must.',
  'invalid-identifier': 'The identifier of the app holds characters that no identifier may hold.',
  'app-bundle':
    'An Android App Bundle (.aab) cannot be installed on a device. Upload an APK instead: ' +
    '"bundletool build-apks --mode=universal" makes one of it, universal.apk in the archive it writes.',
  'split-archive':
    'A set of APKs (.apks, .xapk, .apkm) cannot be installed from a browser. Upload one APK that holds the whole app instead: ' +
    '"bundletool build-apks --mode=universal" makes one.',
  timeout: 'Reading the file took too long.',
  'out-of-memory': 'Reading the file took too much memory.',
  crashed: 'Reading the file ended unexpectedly.',
} as const

export type BinaryErrorCode = keyof typeof sentences

export interface BinaryErrorOptions extends ErrorOptions {
  app?: Partial<AppInfo>
}

/** The only error this package throws about a file. `detail` names the place; the message is the sentence of the code and the detail. */
export class BinaryError extends Error {
  override readonly name = 'BinaryError'
  readonly code: BinaryErrorCode
  readonly detail: string
  /** Of `app-bundle` and `split-archive`: what could be read of the app. */
  readonly app: Partial<AppInfo> | undefined

  constructor(code: BinaryErrorCode, detail = '', { app, ...options }: BinaryErrorOptions = {}) {
    super(detail === '' ? sentences[code] : `${sentences[code]} ${detail}`, options)
    this.code = code
    this.detail = detail
    this.app = app
  }
}
