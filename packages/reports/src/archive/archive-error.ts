import { BinaryError } from '@fairlead/binary/binary-error'
import { ReportsError } from '../reports-error.ts'

/** Converts an error of `@fairlead/binary` to one of this package; returns other errors as they are. */
export function toReportsError(error: unknown): unknown {
  if (!(error instanceof BinaryError)) return error
  const code =
    error.code === 'too-large' ? 'too-large' : error.code === 'unreadable' ? 'unreadable' : 'malformed-archive'
  return new ReportsError(code, error.message, {}, { cause: error })
}
