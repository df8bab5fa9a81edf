import { z } from 'zod'
import { type ErrorCode, errorTable } from './error-table.ts'

/** The error object of the contract, which is the body of every unsuccessful response. */
export const ErrorObject = z
  .object({
    id: z.uuid().meta({ description: 'UUID of this occurrence; the log line of the failure carries it' }),
    httpStatus: z.int().meta({ description: 'Equal to the HTTP status code' }),
    title: z.string(),
    detail: z.string(),
    errors: z
      .array(z.object({ source: z.string(), detail: z.string() }))
      .optional()
      .meta({ description: 'On 400 and 422: each fault with the header, query name or JSON pointer it stands in' }),
  })
  .meta({ id: 'Error' })
export type ErrorObject = z.infer<typeof ErrorObject>

/** One fault of a request. `source` is a header name, a query parameter or a JSON pointer into the body. */
export interface Fault {
  source: string
  detail: string
}

interface ApiErrorOptions {
  /** Replaces the detail of the table by a more specific one. */
  detail?: string
  faults?: Fault[]
  headers?: Record<string, string>
  cause?: unknown
}

/** An error from the table. Callers of the API receive its status, title and detail. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  readonly title: string
  readonly faults: Fault[] | undefined
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    const { status, title, detail } = errorTable[code]
    super(options.detail ?? detail, { cause: options.cause })
    this.code = code
    this.status = status
    this.title = title
    this.faults = options.faults
    this.headers = options.headers ?? {}
  }
}
