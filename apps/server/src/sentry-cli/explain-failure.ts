import { ApiError } from '@fairlead/contract'
import type { AppContext } from '../context.ts'

/** Errors that do not depend on the file, so a later request may succeed. */
const passingCodes: ReadonlySet<string> = new Set(['clientClosed', 'overloaded'])

/**
 * The words for why a file cannot be assembled.
 *
 * @throws {ApiError} clientClosed, overloaded
 */
export function explainFailure({ log }: Pick<AppContext, 'log'>, thrown: unknown): string {
  // The staging folder wraps an error of its source in another `ApiError`.
  const isWrapped = thrown instanceof ApiError && thrown.cause instanceof ApiError
  const error = isWrapped ? thrown.cause : thrown
  const isKnown = error instanceof ApiError
  if (isKnown && error.code === 'tooManyRequests') throw askToRetry(error)
  if (isKnown && passingCodes.has(error.code)) throw error
  if (!isKnown) log.error({ err: error }, 'symbols of sentry-cli could not be assembled')
  return isKnown ? error.message : 'The server failed; its log tells more'
}

/** sentry-cli sends a request again after 502, 503 and 504, and ends with an error after 429. */
function askToRetry(error: ApiError): ApiError {
  return new ApiError('overloaded', { detail: error.message, headers: { 'retry-after': '5' }, cause: error })
}
