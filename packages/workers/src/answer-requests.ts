import { flushCompileCache } from 'node:module'

/**
 * Runs in the child process of a WorkerProcess: answers each request of the parent, and ends with it.
 *
 * An error that `answer` throws ends the process, and the parent reports it as a crash.
 */
export function answerRequests(answer: (request: never) => Promise<unknown>): void {
  // A terminal and a service manager send these signals to all processes of a group. The parent finishes its running
  // requests first, so the child waits for the parent.
  process.on('SIGINT', () => {}).on('SIGTERM', () => {})
  process.on('disconnect', () => process.exit())
  // Node would write the compile cache when the process ends by itself, but the parent kills it.
  flushCompileCache()
  // The package that uses the worker types both sides of its messages, and only its process sends here.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as said above
  process.on('message', (request) => void answer(request as never).then((reply) => process.send?.(reply)))
}
