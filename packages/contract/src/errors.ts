import { z } from 'zod'

/** The error object of the contract, which is the body of every unsuccessful response. */
export const ErrorObject = z
  .object({
    id: z.uuid().meta({ description: 'UUID of this occurrence; the log line of the failure carries it' }),
    httpStatus: z.int().meta({ description: 'Equal to the HTTP status code' }),
    title: z.string(),
    detail: z.string(),
    errors: z
      .array(z.object({ source: z.string(), detail: z.string() }))
      .optional()
      .meta({ description: 'On 400 and 422: each fault with the header, query name or JSON pointer it stands in' }),
  })
  .meta({ id: 'Error' })
export type ErrorObject = z.infer<typeof ErrorObject>

/** One fault of a request. `source` is a header name, a query parameter or a JSON pointer into the body. */
export interface Fault {
  source: string
  detail: string
}

interface ErrorWords {
  status: number
  title: string
  detail: string
}

const notFound = (detail: string): ErrorWords => ({ status: 404, title: 'Not Found', detail })
const conflict = (detail: string): ErrorWords => ({ status: 409, title: 'Conflict', detail })
const unprocessable = (detail: string): ErrorWords => ({ status: 422, title: 'Unprocessable Content', detail })
const badRequest = (detail: string): ErrorWords => ({ status: 400, title: 'Bad Request', detail })

/** All errors of the service. Texts that the contract prescribes are used verbatim. */
export const errorTable = {
  malformedRequest: badRequest('The request is not HTTP that can be read'),
  malformedJson: badRequest('The request body is not valid JSON'),
  invalidRequest: badRequest('The request is not valid'),
  malformedCrash: badRequest('The crash report cannot be read'),
  damagedEncoding: badRequest('The body does not fit its Content-Encoding'),
  nulCharacter: badRequest('A text of the request holds the character NUL'),
  missingGroups: badRequest('At least one of distributionGroupNames or distributionGroupIds must be given'),
  truncatedBody: badRequest('The request body ended before its announced length'),
  unauthorized: { status: 401, title: 'Unauthorized', detail: 'The X-Service-Token header is invalid or missing' },
  linkPasswordNeeded: {
    status: 401,
    title: 'Unauthorized',
    detail: 'This link needs its password, in an Authorization header of the scheme Basic',
  },
  wrongCredentials: { status: 401, title: 'Unauthorized', detail: 'The e-mail address or the password is wrong' },
  forbidden: { status: 403, title: 'Forbidden', detail: 'The role of this token does not allow it' },
  accountClosed: {
    status: 403,
    title: 'Forbidden',
    detail: 'This account belongs to no workspace any more; an invitation opens it again',
  },
  twoFactorRequired: {
    status: 403,
    title: 'Forbidden',
    detail: 'This workspace requires two-factor sign-in: set it up for your account first',
  },
  crashKeyRefused: { status: 403, title: 'Forbidden', detail: 'The crash key is missing, unknown or disabled' },
  crashKeyUnknown: { status: 401, title: 'Unauthorized', detail: 'The X-Service-Crash-Key header is invalid' },
  csrf: {
    status: 403,
    title: 'Forbidden',
    detail: 'The X-CSRF-Token header is missing or does not belong to this session',
  },
  notFound: notFound('Nothing is at this address'),
  applicationNotFound: notFound('The application with the given ID does not exist'),
  aliasNotFound: notFound('No application with the given alias exists in the workspace'),
  // The contract writes this title with a small f, and the one above with a capital.
  buildNotFound: { status: 404, title: 'Not found', detail: 'Build with the given ID does not exist' },
  distributionGroupNotFound: notFound('The distribution group with the given ID does not exist'),
  testerNotFound: notFound('The tester with the given ID does not exist'),
  symbolsFileNotFound: notFound('The symbols file with the given ID does not exist'),
  crashKeyNotFound: notFound('The crash key with the given ID does not exist'),
  crashGroupNotFound: notFound('The crash group with the given ID does not exist'),
  discardedGroupNotFound: notFound('No crash group with the given key is discarded'),
  crashNotFound: notFound('The crash with the given ID does not exist'),
  crashReportNotFound: notFound('The report of this crash is not kept'),
  testRunNotFound: notFound('The test run with the given ID does not exist'),
  testNotFound: notFound('The test with the given ID does not exist'),
  testFailureNotFound: notFound('The test failure with the given ID does not exist'),
  testAttachmentNotFound: notFound('The test attachment with the given ID does not exist'),
  uploadNotFound: notFound('The upload does not exist, has expired or belongs to another caller'),
  quarantineNotFound: notFound('The quarantine with the given ID does not exist'),
  hookNotFound: notFound('The hook with the given ID does not exist'),
  hookDeliveryNotFound: notFound('The hook delivery with the given ID does not exist'),
  apiTokenNotFound: notFound('The API token with the given ID does not exist'),
  memberNotFound: notFound('The member with the given ID does not exist'),
  invitationNotFound: notFound('The invitation does not exist, was used or has expired'),
  sessionNotFound: notFound('The session with the given ID does not exist'),
  passwordResetNotFound: notFound('The password reset does not exist, was used or has expired'),
  setUpCodeNotFound: notFound('The set-up link is not valid; the server prints a new one at every start'),
  mailNotFound: notFound('The mail with the given ID does not exist'),
  installLinkNotFound: notFound('This install link does not exist, or its build was deleted'),
  latestLinkNotFound: notFound('The latest link with the given ID does not exist'),
  retentionRunNotFound: notFound('The retention run with the given ID does not exist'),
  nothingToInstall: notFound('There is nothing to install yet: no build of this link was given out'),
  methodNotAllowed: { status: 405, title: 'Method Not Allowed', detail: 'This address does not answer this method' },
  idleUpload: { status: 408, title: 'Request Timeout', detail: 'No data arrived for too long, so the upload was cut' },
  slowBody: {
    status: 408,
    title: 'Request Timeout',
    detail: 'The body took too long to arrive, so the request was cut',
  },
  slowRequest: { status: 408, title: 'Request Timeout', detail: 'The head of the request took too long' },
  headersTooLarge: {
    status: 431,
    title: 'Request Header Fields Too Large',
    detail: 'The head of the request is over the limit',
  },
  aliasTaken: conflict('Another application of the workspace has this alias'),
  bundleIdentifierTaken: conflict('Another application of the workspace has this platform and bundle identifier'),
  aliasFixed: conflict('The alias of an application that has builds cannot change'),
  identifierFixed: conflict('The bundle identifier of an application that has builds cannot change'),
  groupNameTaken: conflict('Another distribution group of the workspace has this name'),
  emailTaken: conflict('An account with this e-mail address exists'),
  alreadyMember: conflict('The person with this e-mail address is a member of the workspace'),
  retentionRunning: conflict('A retention run of this application is under way'),
  buildExpired: conflict('The install link of this build has expired, so it cannot be distributed'),
  hookOff: conflict('The hook is off; turn it on to send to it'),
  mailSent: conflict('The mail was sent'),
  noMailServer: conflict('No mail server is set (FAIRLEAD_SMTP_URL), so the mail stays in the outbox'),
  lastAdmin: conflict('The last administrator of a workspace cannot be removed or lose the role'),
  alreadySetUp: conflict('This server is set up already'),
  twoFactorEnabled: conflict('Two-factor sign-in is on already'),
  installLinkExpired: { status: 410, title: 'Gone', detail: 'This install link has expired' },
  installLinkRevoked: { status: 410, title: 'Gone', detail: 'This install link was revoked' },
  buildTrashed: { status: 410, title: 'Gone', detail: 'This build was removed by the retention rule of its team' },
  undoTooLate: { status: 410, title: 'Gone', detail: 'The builds of this retention run cannot be restored any more' },
  downloadExpired: {
    status: 410,
    title: 'Gone',
    detail: 'This download link has expired: open the install link again',
  },
  offsetMismatch: conflict('The Upload-Offset is not the offset of the upload'),
  unknownTusVersion: {
    status: 412,
    title: 'Precondition Failed',
    detail: 'The Tus-Resumable header must be 1.0.0',
  },
  tooLarge: { status: 413, title: 'Content Too Large', detail: 'The request body is over the limit' },
  unsupportedMediaType: {
    status: 415,
    title: 'Unsupported Media Type',
    detail: 'The request body must be application/json',
  },
  notOffsetStream: {
    status: 415,
    title: 'Unsupported Media Type',
    detail: 'The request body must be application/offset+octet-stream',
  },
  unsupportedEncoding: {
    status: 415,
    title: 'Unsupported Media Type',
    detail: 'The Content-Encoding must be gzip, deflate, br or zstd',
  },
  rangeNotSatisfiable: { status: 416, title: 'Range Not Satisfiable', detail: 'The range lies outside the file' },
  unreadableBinary: unprocessable('The file is not an APK or IPA that can be read'),
  wrongPlatform: unprocessable('The file is for another platform than the application'),
  identifierMismatch: unprocessable('The identifier of the binary belongs to no application here'),
  twoFactorCode: unprocessable('A code of the authenticator app, or a recovery code, is needed'),
  idempotencyMismatch: unprocessable('The Idempotency-Key was used for another upload'),
  quotaExceeded: unprocessable('The workspace has reached its quota'),
  hookAddress: unprocessable('Hooks cannot be sent to this address'),
  tooManyHooks: unprocessable('The workspace has 50 hooks, which is the most'),
  unknownApplication: unprocessable('An application does not exist'),
  unknownGroup: unprocessable('A distribution group does not exist'),
  groupOfUploads: unprocessable('A link that follows uploads belongs to no distribution group'),
  tooManyLatestLinks: unprocessable('An application has 100 latest links at most'),
  unreadableSymbols: unprocessable('The file holds no symbols that can be read'),
  wrongSymbols: unprocessable('The symbols are for another platform than the application'),
  unreadableTestReport: unprocessable('The upload is no test report that can be read'),
  unknownBuild: unprocessable('The build of X-Service-Build-Id does not exist in this application'),
  unknownTest: unprocessable('The test does not exist in this application'),
  missingReason: unprocessable('A quarantine needs a reason'),
  invalidQuarantineEnd: unprocessable('A quarantine ends in the future, and within 14 days'),
  tooManyCommits: unprocessable('The build has too many commits'),
  unreadableReport: unprocessable('The text is not a crash report that can be read'),
  unreadableCrash: unprocessable('The text is not a crash report of a known form'),
  // The status that the tus protocol defines for this.
  checksumMismatch: {
    status: 460,
    title: 'Checksum Mismatch',
    detail: 'The bytes do not have the Upload-Checksum, so they were discarded',
  },
  // The status that nginx logs for this; nobody is there to read it.
  clientClosed: { status: 499, title: 'Client Closed Request', detail: 'The client closed the connection' },
  tooManyRequests: { status: 429, title: 'Too Many Requests', detail: 'Too many attempts; try again later' },
  tooManyMails: {
    status: 429,
    title: 'Too Many Requests',
    detail: 'The workspace has reached its quota of mails an hour; try again later',
  },
  tooManyUploads: {
    status: 429,
    title: 'Too Many Requests',
    detail: 'The workspace has too many unfinished uploads; finish or discard some, or wait until they expire',
  },
  internal: {
    status: 500,
    title: 'Internal Server Error',
    detail: 'The server failed; its log tells more under this id',
  },
  overloaded: { status: 503, title: 'Service Unavailable', detail: 'The server is busy; try again later' },
  shuttingDown: { status: 503, title: 'Service Unavailable', detail: 'The server is shutting down' },
  notReady: { status: 503, title: 'Service Unavailable', detail: 'The database or the storage does not answer' },
  insufficientStorage: { status: 507, title: 'Insufficient Storage', detail: 'There is no room left for the upload' },
} as const satisfies Record<string, ErrorWords>

export type ErrorCode = keyof typeof errorTable

interface ApiErrorOptions {
  /** Replaces the detail of the table by a more specific one. */
  detail?: string
  faults?: Fault[]
  headers?: Record<string, string>
  cause?: unknown
}

/** An error from the table. Callers of the API receive its status, title and detail. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  readonly title: string
  readonly faults: Fault[] | undefined
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    const { status, title, detail } = errorTable[code]
    super(options.detail ?? detail, { cause: options.cause })
    this.code = code
    this.status = status
    this.title = title
    this.faults = options.faults
    this.headers = options.headers ?? {}
  }
}
