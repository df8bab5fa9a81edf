import type { ErrorObject, Fault } from '@fairlead/contract'

interface Particulars extends Omit<ErrorObject, 'id' | 'errors'> {
  id: string | null
  errors?: Fault[] | undefined
  retryAfterMs?: number | null
}

/** A request that failed, in the server's own words where it gave any. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  /** UUID of the occurrence, which the server's log carries too; null when no server spoke. */
  readonly id: string | null
  /** 0 when no answer came. */
  readonly httpStatus: number
  readonly title: string
  readonly detail: string
  /** The single faults of a request that was answered with 400 or 422, each with its place. */
  readonly faults: Fault[]
  /** How long the server asked to wait before the next attempt, in milliseconds; null when it did not. */
  readonly retryAfterMs: number | null

  constructor(particulars: Particulars, cause?: unknown) {
    super(particulars.detail, { cause })
    this.id = particulars.id
    this.httpStatus = particulars.httpStatus
    this.title = particulars.title
    this.detail = particulars.detail
    this.faults = particulars.errors ?? []
    this.retryAfterMs = particulars.retryAfterMs ?? null
  }

  static unreachable(cause?: unknown): RequestError {
    const detail = 'The server cannot be reached; check the connection'
    return new RequestError({ id: null, httpStatus: 0, title: 'No answer', detail }, cause)
  }

  /** Nothing moved on the connection for that many milliseconds. */
  static timedOut(idleMs: number): RequestError {
    const detail = `The server said nothing for ${Math.round(idleMs / 1000)} seconds`
    return new RequestError({ id: null, httpStatus: 0, title: 'No answer', detail })
  }
}

/** Reads the error object out of an answer. A proxy on the way may have answered something else. */
export function toRequestError(status: number, text: string, retryAfter: string | null = null): RequestError {
  const retryAfterMs = parseRetryAfter(retryAfter)
  const body = parseErrorObject(text)
  if (body) return new RequestError({ ...body, httpStatus: status, retryAfterMs })
  const title = status === 413 ? 'Content Too Large' : `Status ${status}`
  const detail = `The server answered with status ${status}`
  return new RequestError({ id: null, httpStatus: status, title, detail, retryAfterMs })
}

function parseErrorObject(text: string): ErrorObject | undefined {
  try {
    const body = JSON.parse(text) as Partial<ErrorObject> | null
    const isError = typeof body?.title === 'string' && typeof body.detail === 'string'
    return isError ? (body as ErrorObject) : undefined
  } catch {
    return undefined
  }
}

/** The header holds seconds, or the date at which to come back. */
function parseRetryAfter(value: string | null): number | null {
  if (value === null || value.trim() === '') return null
  const seconds = Number(value)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : null
}
