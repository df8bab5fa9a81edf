/**
 * The reason why a request failed on the handler's side, sent as the JSON of an ERR frame: `{code, detail, path?,
 * remote?}`. `remote` is the handler's exception as a tagged Error.
 */
import { queueTask } from '../host-clock.ts'
import { decodeValue } from '../value/decode.ts'
import { encodeValue } from '../value/encode.ts'
import { ValueError } from '../value/value-error.ts'
import type { Attachment, Frame } from '../wire/frame.ts'
import { XPCError, isXPCErrorCode, type XPCErrorCode } from '../xpc-error.ts'

export interface Failure {
  code: XPCErrorCode
  detail: string
  path?: string
  remote?: Error
  /** The original exception on this side. */
  cause?: unknown
}

/** Describes a content or an answer that could not be converted. */
export function toConversionFailure(code: 'encoding' | 'decoding', error: unknown): Failure {
  if (error instanceof ValueError) return { code, detail: error.message, path: error.path, cause: error.cause }
  const detail = error instanceof XPCError ? error.detail : String(error)
  return { code, detail, cause: error }
}

export function toHandlerFailure(error: unknown): Failure {
  const remote = error instanceof Error ? error : new Error(String(error), { cause: error })
  return { code: 'handlerFailed', detail: remote.message, remote, cause: error }
}

/** Converts a failure to the error for the requesting side, or for this process. */
export function toXPCError(failure: Failure, messageName: string): XPCError {
  return new XPCError(failure.code, { ...failure, messageName })
}

export function writeFailure(failure: Failure, attachments: Attachment[]): string {
  const { code, detail, path, remote } = failure
  const body = { code, detail, ...(path && { path }) }
  if (!remote) return JSON.stringify(body)
  try {
    return encodeValue({ ...body, remote }, attachments, false)
  } catch {
    // The error has fields that cannot be sent; its message and stack always can be.
    attachments.length = 0
    const plain = new Error(remote.message)
    Object.assign(plain, { name: remote.name, stack: String(remote.stack) })
    return encodeValue({ ...body, remote: plain }, attachments, false)
  }
}

export function readFailure(frame: Frame, messageName: string | undefined): XPCError {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each field is checked below
    const body = decodeValue(frame.text, frame.attachments) as Record<string, unknown>
    const { code, detail, path, remote } = body
    if (!isXPCErrorCode(code)) throw new ValueError('code', `unknown: ${String(code)}`)
    return new XPCError(code, {
      messageName,
      detail: typeof detail === 'string' ? detail : '',
      path: typeof path === 'string' ? path : undefined,
      remote: remote instanceof Error ? remote : undefined,
    })
  } catch (error) {
    return new XPCError('protocol', { messageName, detail: 'an ERR frame is malformed', cause: error })
  }
}

/**
 * A post has no caller to report to, so a failure of its handler becomes an uncaught exception of this process, as in
 * any event listener.
 */
export function reportPostFailure(name: string, failure: Failure): void {
  if (failure.code === 'noHandler') return
  queueTask(() => {
    throw failure.code === 'handlerFailed' ? failure.cause : toXPCError(failure, name)
  })
}
