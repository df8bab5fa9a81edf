import { randomUUID } from 'node:crypto'
import { ApiError, type ErrorObject, type Fault } from '@fairlead/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import type { Logger } from 'pino'

/** Answers whatever is thrown with the error object. */
export function createErrorHandler(log: Logger) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const { error, body } = reportError(log, thrown, request)
    void reply
      .code(error.status)
      // A cache may keep a 404 by itself, and a route may have meant its file for ever.
      .headers({ ...error.headers, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      .type('application/json; charset=utf-8')
      .send(body)
  }
}

/** The one place where something thrown becomes words for the caller and a line in the log, joined by a fresh id. */
export function reportError(
  log: Logger,
  thrown: unknown,
  request: FastifyRequest,
): { error: ApiError; body: ErrorObject } {
  const error = toApiError(thrown)
  const body = toErrorObject(error)
  const line = { errorId: body.id, method: request.method, path: toLoggedPath(request.url), status: error.status }
  if (error.status >= 500) log.error({ ...line, err: error.cause ?? thrown }, error.message)
  else log.info({ ...line, code: error.code, cause: toCauseText(error) }, error.message)
  return { error, body }
}

/** The secrets of install links stand in paths, and have no place in a log. */
function toLoggedPath(url: string): string {
  return url.replace(/\?.*/s, '').replace(/^(\/install\/).*/s, '$1…')
}

function toCauseText({ cause }: ApiError): string | undefined {
  return cause instanceof Error ? cause.message : undefined
}

/** The error object of the contract: its four fields, and the faults where there are any. */
export function toErrorObject(error: ApiError): ErrorObject {
  const { status, title, message, faults } = error
  const body: ErrorObject = { id: randomUUID(), httpStatus: status, title, detail: message }
  if (faults && faults.length > 0) body.errors = faults
  return body
}

/** PostgreSQL's `character_not_in_repertoire`. */
const invalidCharacter = '22021'

/** Fastify's own refusals in the words of the table. What nobody foresaw is a 500 that says nothing of the inside. */
function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (hasZodFastifySchemaValidationErrors(thrown)) {
    return new ApiError('invalidRequest', { faults: toFaults(thrown), cause: thrown })
  }
  const { code, statusCode } = thrown as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new ApiError('unsupportedMediaType', { cause: thrown })
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new ApiError('tooLarge', { cause: thrown })
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH') return new ApiError('truncatedBody', { cause: thrown })
  if (code === 'FST_ERR_BAD_URL') return new ApiError('notFound', { cause: thrown })
  // PostgreSQL stores every character but one, which no text needs.
  if (code === invalidCharacter) return new ApiError('nulCharacter', { cause: thrown })
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
