import type { ErrorObject, Fault } from '@fairlead/contract'

/** A request that failed, in the server's own words where it gave any. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  /** UUID of the occurrence, which the server's log carries too; null when no server spoke. */
  readonly id: string | null
  /** 0 when no answer came. */
  readonly httpStatus: number
  readonly title: string
  readonly detail: string
  /** What is wrong where, on 400 and 422. */
  readonly faults: Fault[]

  constructor(
    words: Omit<ErrorObject, 'id' | 'errors'> & { id: string | null; errors?: Fault[] | undefined },
    cause?: unknown,
  ) {
    super(words.detail, { cause })
    this.id = words.id
    this.httpStatus = words.httpStatus
    this.title = words.title
    this.detail = words.detail
    this.faults = words.errors ?? []
  }

  static unreachable(cause?: unknown): RequestError {
    return new RequestError(
      { id: null, httpStatus: 0, title: 'No answer', detail: 'The server cannot be reached; check the connection' },
      cause,
    )
  }
}

/** Reads the error object out of an answer. A proxy on the way may have answered something else. */
export function toRequestError(status: number, text: string): RequestError {
  const body = parseErrorObject(text)
  if (body) return new RequestError(body)
  const title = status === 413 ? 'Content Too Large' : `Status ${status}`
  return new RequestError({ id: null, httpStatus: status, title, detail: `The server answered with status ${status}` })
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
