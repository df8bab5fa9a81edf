import { BinaryError } from '@fairlead/binary'
import { ReportsError } from '../reports-error.ts'

/** An error of `@fairlead/binary` as one of ours; other errors as they are. */
export function toReportsError(error: unknown): unknown {
  if (!(error instanceof BinaryError)) return error
  const code =
    error.code === 'too-large' ? 'too-large' : error.code === 'unreadable' ? 'unreadable' : 'malformed-archive'
  return new ReportsError(code, error.message, {}, { cause: error })
}
