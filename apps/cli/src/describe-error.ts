import { RequestError } from '@fairlead/client'
import { CliError, exitCodes, type ExitName } from './cli-error.ts'

/** An error as the command line reports it. */
export interface DescribedError {
  exit: ExitName
  exitCode: number
  message: string
  /** The single faults of a request, or the cause of a failure. */
  details: string[]
  fix: string | undefined
  /** The error id, by which the server's log is searched. */
  errorId: string | null
  httpStatus: number | null
}

type Described = Omit<DescribedError, 'exitCode'> & { code?: number | undefined }

const plain = { details: [], fix: undefined, errorId: null, httpStatus: null }

export function describeError(error: unknown, signal: AbortSignal): DescribedError {
  const { code, ...described } = describe(error, signal)
  return { ...described, exitCode: code ?? exitCodes[described.exit] }
}

function describe(error: unknown, signal: AbortSignal): Described {
  const isExplained = error instanceof CliError && error.exit === 'interrupted'
  if (signal.aborted && !isExplained) return { ...plain, exit: 'interrupted', message: 'Interrupted' }
  if (error instanceof CliError) {
    const cause = error.cause === undefined ? undefined : describe(error.cause, signal)
    const details = cause ? [cause.message, ...cause.details] : []
    const { exit, code } = error
    return { ...plain, ...cause, exit, code, message: error.message, details, fix: error.fix ?? cause?.fix }
  }
  if (error instanceof RequestError) return describeRequestError(error)
  // The class is compared by name, so that its package is loaded only if such an error occurs.
  if (error instanceof Error && (error.name === 'BinaryError' || error.name === 'SymbolsError')) {
    if (isSystemError(error.cause)) return describeSystemError(error.cause)
    return { ...plain, exit: 'refused', message: error.message }
  }
  if (isSystemError(error)) return describeSystemError(error)
  const message = error instanceof Error ? error.message : String(error)
  return { ...plain, exit: 'failed', message, fix: 'Run the command again with --debug to see where it failed.' }
}

function describeRequestError(error: RequestError): Described {
  const details = error.faults.map(({ source, detail }) => (source === '' ? detail : `${source}: ${detail}`))
  const described = { message: error.detail, details, errorId: error.id, httpStatus: error.httpStatus }
  // The answer is a redirect, or a page of something that is no Fairlead server.
  if (error.httpStatus > 0 && error.httpStatus < 400) {
    return { ...described, exit: 'noAnswer', fix: 'Check the address of the server.' }
  }
  switch (error.httpStatus) {
    case 0:
      return { ...described, ...describeNoAnswer(listCauses(error)) }
    case 401:
      return {
        ...described,
        message: 'The server does not know this token, or the token has ended',
        exit: 'notSignedIn',
        fix: 'Run "fairlead login", or give a token that is valid in FAIRLEAD_TOKEN.',
      }
    case 403:
      return { ...described, exit: 'notAllowed', fix: 'Use a token with a higher role.' }
    case 404:
      return {
        ...described,
        exit: 'notFound',
        // The server says so of a path that it does not have, such as one that begins with too much.
        fix: error.detail.startsWith('Nothing is at this address') ? 'Check the address of the server.' : undefined,
      }
    case 413:
      return {
        ...described,
        exit: 'refused',
        fix: 'Raise FAIRLEAD_MAX_UPLOAD_BYTES of the server, and the limit of a proxy before it.',
      }
    case 507:
      return { ...described, exit: 'noAnswer', fix: 'Make room on the disk of the server.' }
    default:
      if (error.httpStatus < 500) return { ...described, exit: 'refused', fix: undefined }
      return { ...described, exit: 'noAnswer', fix: 'Try again later; the log of the server tells more.' }
  }
}

function describeNoAnswer(causes: string[]) {
  const details = causes.map(toTlsSentence)
  return { exit: 'noAnswer', details, fix: findRemedy(causes) } as const
}

function findRemedy(causes: readonly string[]): string {
  if (causes.some((text) => readTlsReason(text) === undefined && text.includes('certificate'))) {
    return 'If you trust the certificate, name the file of its authority in NODE_EXTRA_CA_CERTS.'
  }
  if (causes.some((text) => readTlsReason(text) === 'wrong version number')) {
    return 'If the server has no certificate, write its address with http://'
  }
  return 'Check the address of the server.'
}

/**
 * OpenSSL writes a line of fields between colons: `…:error:0A00010B:SSL routines:FUNCTION:REASON:FILE:LINE:`. Only the
 * reason is for people.
 */
function readTlsReason(text: string): string | undefined {
  return /:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+)/.exec(text)?.[1]
}

function toTlsSentence(text: string): string {
  const reason = readTlsReason(text)
  if (reason === undefined) return text
  if (reason === 'wrong version number') return 'What answers at this address does not speak TLS'
  return `The encrypted connection failed: ${reason}`
}

/** Lists the reasons why no answer came, such as `ECONNREFUSED`, which `fetch` nests in causes. */
function listCauses(error: Error): string[] {
  const texts: string[] = []
  let cause = error.cause
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined
    const text = cause.message === '' ? code : cause.message
    if (text !== undefined && text !== 'fetch failed') texts.push(text)
    cause = cause instanceof AggregateError ? cause.errors[0] : cause.cause
  }
  return [...new Set(texts)]
}

interface SystemError extends Error {
  code: string
  path?: string
}

function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'
}

const systemWords: Record<string, string> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read or written',
  EISDIR: 'is a folder, not a file',
  ENOTDIR: 'is not a folder',
  ENOSPC: 'has no room left',
  EROFS: 'is on a read-only file system',
}

function describeSystemError(error: SystemError): Described {
  const { code, path } = error
  const words = systemWords[code]
  const message = path !== undefined && words !== undefined ? `${path} ${words}` : error.message
  return { ...plain, exit: code === 'ENOENT' ? 'notFound' : 'failed', message }
}
