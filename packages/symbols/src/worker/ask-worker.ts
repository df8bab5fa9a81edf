import type { Serializable } from 'node:child_process'
import { type AskOptions, WorkerError, type WorkerProcess } from '@fairlead/binary/worker-process'
import { SymbolsError } from '../symbols-error.ts'

/** Asks a worker. Rejects with SymbolsError `timeout`, `out-of-memory`, `crashed` or `exited` if there is no answer. */
export async function askWorker<Request extends Serializable, Answer>(
  worker: WorkerProcess<Request, Answer>,
  request: Request,
  options?: AskOptions,
): Promise<Answer> {
  try {
    return await worker.ask(request, options)
  } catch (error) {
    if (error instanceof WorkerError) throw new SymbolsError(error.code, error.message, { cause: error })
    throw error
  }
}
