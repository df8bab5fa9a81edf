import { randomUUID } from 'node:crypto'
import { ApiError, type ErrorObject, type Fault } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isOutOfSpace } from '../db/out-of-space.ts'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import type { Logger } from 'pino'
import { isForeignKeyViolation } from '../db/foreign-key.ts'

/** Creates the error handler, which answers every thrown error with the error object. */
export function createErrorHandler(log: Logger) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const { error, body } = reportError(log, thrown, request)
    // A list that fails before its first byte may have been announced as compressed.
    void reply
      .removeHeader('content-encoding')
      .code(error.status)
      // Caches may store a 404 by default, and the route may already have set a long lifetime.
      .headers({ ...error.headers, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      .type('application/json; charset=utf-8')
      .send(body)
  }
}

/** Turns a thrown error into the answer for the caller and one log line, both with the same new error id. */
export function reportError(
  log: Logger,
  thrown: unknown,
  request: FastifyRequest,
): { error: ApiError; body: ErrorObject } {
  const error = toApiError(thrown)
  const body = toErrorObject(error)
  if (error.code.startsWith('unreadable') && isFormForFile(request)) {
    body.detail = `${body.detail.replace(/\.$/, '')}. ${formAdvice}`
  }
  const line = { errorId: body.id, method: request.method, path: toLoggedPath(request.url), status: error.status }
  if (error.status >= 500) log.error({ ...line, err: error.cause ?? thrown }, error.message)
  else log.info({ ...line, code: error.code, cause: toCauseText(error) }, error.message)
  return { error, body }
}

const formAdvice =
  'The request is a form (multipart/form-data), in which other text surrounds the file. Send the file itself as the ' +
  'body, as curl does with --data-binary @FILE instead of --form.'

/** Whether the body is a form although the route takes the bytes of a file, such as an upload by `curl --form`. */
function isFormForFile({ raw, routeOptions }: FastifyRequest): boolean {
  const form = 'multipart/form-data'
  const { takes } = routeOptions.config
  // `headers` has no media type here, see `ignoreContentType`.
  const [type = ''] = raw.headersDistinct['content-type'] ?? []
  return takes !== undefined && !takes.types.includes(form) && type.toLowerCase().startsWith(form)
}

/**
 * Cuts secrets from a path for the log. Paths of links are cut however they are spelled (`//install`, `/%69nstall`),
 * and so is any segment as long as a secret; query strings are left out.
 */
export function toLoggedPath(url: string): string {
  const path = decodePath(url.replace(/[?#;].*/s, ''))
  return path
    .replace(/^\/*(install|latest|testers|unsubscribe)\/.*/is, '/$1/…')
    .replace(/[\w-]{20,}/g, '…')
    .slice(0, 500)
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function toCauseText({ cause }: ApiError): string | undefined {
  return cause instanceof Error ? cause.message : undefined
}

/**
 * Creates the error object of the contract: id, httpStatus, title and detail, and `errors` when fields are at fault.
 */
export function toErrorObject(error: ApiError): ErrorObject {
  const { status, title, message, faults } = error
  const body: ErrorObject = { id: randomUUID(), httpStatus: status, title, detail: message }
  if (faults && faults.length > 0) body.errors = faults
  return body
}

/** The fields by which Fastify, Node and PostgreSQL tell their errors apart. */
function readFields(thrown: unknown): { code: string | undefined; statusCode: number | undefined } {
  const { code, statusCode }: { code?: unknown; statusCode?: unknown } = Object(thrown)
  return {
    code: typeof code === 'string' ? code : undefined,
    statusCode: typeof statusCode === 'number' ? statusCode : undefined,
  }
}

/** PostgreSQL's error code `character_not_in_repertoire`. */
const invalidCharacter = '22021'

/** PostgreSQL's error codes for a statement that it cancelled: deadlock, serialization, lock and statement timeout. */
const contended = new Set(['40P01', '40001', '55P03', '57014'])

/** Maps Fastify's own errors to the error table. Anything unexpected becomes a 500 that reveals nothing internal. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (hasZodFastifySchemaValidationErrors(thrown)) {
    return new ApiError('invalidRequest', { faults: toFaults(thrown), cause: thrown })
  }
  const { code, statusCode } = readFields(thrown)
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new ApiError('unsupportedMediaType', { cause: thrown })
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new ApiError('tooLarge', { cause: thrown })
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH') return new ApiError('truncatedBody', { cause: thrown })
  if (code === 'FST_ERR_BAD_URL') return new ApiError('notFound', { cause: thrown })
  // @fastify/static throws this for paths with dots, empty parts or NUL.
  if (code === 'FST_STATIC_FORBIDDEN_PATH') return new ApiError('notFound', { cause: thrown })
  if (isOutOfSpace(thrown)) return new ApiError('insufficientStorage', { cause: thrown })
  // PostgreSQL raises this for U+0000, which its text type cannot store.
  if (code === invalidCharacter) return new ApiError('nulCharacter', { cause: thrown })
  if (code === 'STORAGE_UNAVAILABLE' || code === 'DATABASE_UNAVAILABLE') {
    return new ApiError('notReady', { cause: thrown, headers: { 'retry-after': '5' } })
  }
  if (isForeignKeyViolation(thrown)) {
    return new ApiError('notFound', { detail: 'What the request refers to was deleted meanwhile', cause: thrown })
  }
  if (code !== undefined && contended.has(code)) {
    return new ApiError('overloaded', { cause: thrown, headers: { 'retry-after': '5' } })
  }
  if (statusCode === 400) return new ApiError('malformedJson', { cause: thrown })
  return new ApiError('internal', { cause: thrown })
}

function toFaults(error: {
  validation: { instancePath: string; message?: string }[]
  validationContext?: string
}): Fault[] {
  const isBody = error.validationContext === 'body'
  return error.validation.map(({ instancePath, message }) => ({
    source: isBody ? instancePath || '/' : instancePath.slice(1),
    detail: message ?? 'is not valid',
  }))
}
