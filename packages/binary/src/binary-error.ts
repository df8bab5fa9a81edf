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
  'app-bundle': 'An Android App Bundle (.aab) cannot be installed on a device.',
  'split-archive': 'An archive of split APKs (.apks, .xapk, .apkm) cannot be installed from a browser.',
  timeout: 'Reading the file took too long.',
  'out-of-memory': 'Reading the file took too much memory.',
  crashed: 'Reading the file ended unexpectedly.',
} as const

export type BinaryErrorCode = keyof typeof sentences

/** The only error this package throws about a file. `detail` names the place; the message is the sentence of the code and the detail. */
export class BinaryError extends Error {
  override readonly name = 'BinaryError'
  readonly code: BinaryErrorCode
  readonly detail: string

  constructor(code: BinaryErrorCode, detail = '', options?: ErrorOptions) {
    super(detail === '' ? sentences[code] : `${sentences[code]} ${detail}`, options)
    this.code = code
    this.detail = detail
  }
}
