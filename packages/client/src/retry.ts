import { RequestError } from './request-error.ts'

export interface RetryOptions {
  /** How often a request is tried again, at most. */
  retries: number
  /** How long it is tried again in any case, in milliseconds from its first failure. */
  retryMs?: number
  /** Whether the request may be repeated if its answer was lost, although the server may have carried it out. */
  isRepeatable: boolean
  signal: AbortSignal | undefined
  onRetry: ((retry: Retry) => void) | undefined
}

/** Says that a request failed and is about to be sent again. */
export interface Retry {
  error: RequestError
  /** Number of the retry, starting at 1. */
  attempt: number
  delayMs: number
}

const firstDelayMs = 500
const longestDelayMs = 30_000
/** If the server asks for a longer wait, the request fails, because a CI job should not stand still for so long. */
const longestRetryAfterMs = 5 * 60_000

/** With these statuses the request was refused before anything was done, so every method may be repeated. */
const refusals = new Set([429, 503])
/** With these statuses it is unknown whether the request was carried out: no answer (0), or a proxy's timeout. */
const uncertain = new Set([0, 502, 504])

/** Sends a request and repeats it after temporary faults. Throws the last error. */
export async function withRetries<Answer>(
  attempt: (earlier: RequestError[]) => Promise<Answer>,
  { retries, retryMs = 0, isRepeatable, signal, onRetry }: RetryOptions,
): Promise<Answer> {
  const errors: RequestError[] = []
  let failingSince: number | undefined
  for (;;) {
    try {
      return await attempt(errors)
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      failingSince ??= Date.now()
      if (errors.length >= retries && Date.now() - failingSince >= retryMs) throw error
      const delayMs = findDelay(error, errors.length, isRepeatable)
      if (delayMs === undefined) throw error
      errors.push(error)
      onRetry?.({ error, attempt: errors.length, delayMs })
      await wait(delayMs, signal)
    }
  }
}

/** How long to wait before the next attempt, in milliseconds; undefined if the fault is not temporary. */
export function findDelay(error: RequestError, failures: number, isRepeatable: boolean): number | undefined {
  const { httpStatus } = error
  if (!refusals.has(httpStatus) && !(isRepeatable && uncertain.has(httpStatus))) return undefined
  const delayMs = error.retryAfterMs ?? chooseDelay(failures)
  return delayMs > longestRetryAfterMs ? undefined : delayMs
}

/** Whether the server may have carried out an earlier attempt although no answer came. */
export function mayHaveHappened(earlier: readonly RequestError[]): boolean {
  return earlier.some(({ httpStatus }) => uncertain.has(httpStatus))
}

/** Exponential back-off. Half of it is random, so that many clients do not retry at the same moment. */
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
