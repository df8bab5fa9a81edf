/** `crashed` means an uncaught error, `exited` an end without any error, `closed` that our side closed the worker. */
export type WorkerFailure = 'timeout' | 'out-of-memory' | 'crashed' | 'exited' | 'closed'

/** The worker gave no answer. */
export class WorkerError extends Error {
  override readonly name = 'WorkerError'
  readonly code: WorkerFailure

  constructor(code: WorkerFailure, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.code = code
  }
}
