import { QueueFullError } from '@fairlead/binary'
import { ApiError } from '@fairlead/contract'

/** Seconds after which a caller who found the queue full may try again; a file takes some milliseconds as a rule. */
const retryAfter = '5'

/**
 * Turns a full queue into an answer, and throws other errors on.
 *
 * @throws {ApiError} tooManyRequests when the caller's workspace fills the queue, overloaded when all together do
 */
export function refuseWhenFull(error: unknown): never {
  if (!(error instanceof QueueFullError)) throw error
  const code = error.full === 'key' ? 'tooManyRequests' : 'overloaded'
  throw new ApiError(code, { detail: error.message, headers: { 'retry-after': retryAfter }, cause: error })
}
