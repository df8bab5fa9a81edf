import type { WorkerError } from '@fairlead/workers'
import { SymbolsError } from '../symbols-error.ts'

/** Gives the error `timeout`, `out-of-memory`, `crashed` or `exited` for a worker that gave no answer. */
export function toSymbolsError(error: WorkerError): SymbolsError {
  return new SymbolsError(error.code === 'closed' ? 'exited' : error.code, error.message, { cause: error })
}
