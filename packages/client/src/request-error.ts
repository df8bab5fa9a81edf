import type { ErrorObject, Fault } from '@fairlead/contract'

interface Particulars extends Omit<ErrorObject, 'id' | 'errors'> {
  id: string | null
  errors?: Fault[] | undefined
  retryAfterMs?: number | null
}

/** A failed request, with the title and detail of the server's error object if it sent one. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  /** The error id (a UUID), which is in the server's log too; null if the answer is not from the server. */
  readonly id: string | null
  /** Status of the answer; 0 if no answer came. */
  readonly httpStatus: number
  readonly title: string
  readonly detail: string
  /** The faults of a request that was answered with 400 or 422, each with its place. */
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

  /** Creates the error for a connection on which no byte moved for `idleMs` milliseconds. */
  static timedOut(idleMs: number): RequestError {
    const detail = `The server said nothing for ${Math.round(idleMs / 1000)} seconds`
    return new RequestError({ id: null, httpStatus: 0, title: 'No answer', detail })
  }

  /** Creates the error for a successful answer that is not JSON. */
  static notJson(status: number, cause: unknown): RequestError {
    const detail = 'The answer is not JSON, so it does not come from a Fairlead server'
    return new RequestError({ id: null, httpStatus: status, title: 'Not a Fairlead server', detail }, cause)
  }

  /** Creates the error for an answer that names another address. */
  static redirected(status: number, target: string): RequestError {
    const detail = `The server redirects to ${target}; give the address that it redirects to`
    return new RequestError({ id: null, httpStatus: status, title: 'Redirect', detail })
  }
}

/** Reads the error object of an answer. An answer from a proxy may not have one. */
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
    const body: unknown = JSON.parse(text)
    return isErrorObject(body) ? body : undefined
  } catch {
    return undefined
  }
}

/** Tells the server's error object from the answer of a proxy, which may be JSON as well. */
function isErrorObject(body: unknown): body is ErrorObject {
  if (typeof body !== 'object' || body === null || !('title' in body && 'detail' in body)) return false
  const hasFaults = !('errors' in body) || body.errors === undefined || Array.isArray(body.errors)
  return typeof body.title === 'string' && typeof body.detail === 'string' && hasFaults
}

/** Parses `Retry-After`, which holds a number of seconds or a date. */
function parseRetryAfter(value: string | null): number | null {
  if (value === null || value.trim() === '') return null
  const seconds = Number(value)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : null
}
