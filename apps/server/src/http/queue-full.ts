import { ApiError } from '@fairlead/contract'
import { QueueFullError } from '@fairlead/workers'

/** A caller who found the queue full may try again after this many seconds; most files take milliseconds. */
const retryAfter = '5'

/**
 * Turns a full queue into an error answer; throws every other error unchanged.
 *
 * @throws {ApiError} tooManyRequests when the caller's workspace fills the queue, overloaded when all together do
 */
export function refuseWhenFull(error: unknown): never {
  if (!(error instanceof QueueFullError)) throw error
  const code = error.full === 'key' ? 'tooManyRequests' : 'overloaded'
  throw new ApiError(code, { detail: error.message, headers: { 'retry-after': retryAfter }, cause: error })
}
