import { RequestError } from './request-error.ts'

export interface RetryOptions {
  /** How often a request is tried again, at most. */
  retries: number
  /** Whether a request that may have been carried out, with its answer lost, may be sent once more. */
  isRepeatable: boolean
  signal: AbortSignal | undefined
  onRetry: ((retry: Retry) => void) | undefined
}

/** Says that a request failed and is about to be sent again. */
export interface Retry {
  error: RequestError
  /** From 1. */
  attempt: number
  delayMs: number
}

const firstDelayMs = 500
const longestDelayMs = 30_000
/** A server that asks for more than this is better answered by failing than by a job that stands still. */
const longestRetryAfterMs = 5 * 60_000

/** The server or a proxy refused before it did anything, so that every method may be sent again. */
const refusals = new Set([429, 503])
/** Nobody knows whether the request was carried out: no answer, or that of a proxy that waited in vain. */
const uncertain = new Set([0, 502, 504])

/** Carries out a request, and once more after faults that pass. Throws the last error. */
export async function withRetries<Answer>(
  attempt: (earlier: RequestError[]) => Promise<Answer>,
  { retries, isRepeatable, signal, onRetry }: RetryOptions,
): Promise<Answer> {
  const errors: RequestError[] = []
  for (;;) {
    try {
      return await attempt(errors)
    } catch (error) {
      if (!(error instanceof RequestError) || errors.length >= retries) throw error
      const delayMs = findDelay(error, errors.length, isRepeatable)
      if (delayMs === undefined) throw error
      errors.push(error)
      onRetry?.({ error, attempt: errors.length, delayMs })
      await wait(delayMs, signal)
    }
  }
}

/** How long to wait before the next attempt, in milliseconds; undefined for a fault that does not pass. */
export function findDelay(error: RequestError, failures: number, isRepeatable: boolean): number | undefined {
  const { httpStatus } = error
  if (!refusals.has(httpStatus) && !(isRepeatable && uncertain.has(httpStatus))) return undefined
  const delayMs = error.retryAfterMs ?? chooseDelay(failures)
  return delayMs > longestRetryAfterMs ? undefined : delayMs
}

/** Whether an earlier attempt may have been carried out although its answer never came. */
export function mayHaveHappened(earlier: readonly RequestError[]): boolean {
  return earlier.some(({ httpStatus }) => uncertain.has(httpStatus))
}

/** Exponential back-off; the random half keeps a hundred jobs from coming back in the same moment. */
function chooseDelay(failures: number): number {
  return Math.min(longestDelayMs, firstDelayMs * 2 ** failures) * (0.5 + Math.random() / 2)
}

/** Rejects with the reason of the signal when it is aborted. */
export async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const end = () => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }
    const timer = setTimeout(end, ms)
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', abort, { once: true })
  })
}
