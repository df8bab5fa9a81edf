import { type ChildProcess, fork, type Serializable } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { constants, setPriority } from 'node:os'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { type TimeLimits, watchLimits } from './request-limits.ts'
import { WorkerError } from './worker-error.ts'

/** Characters of a process's last error output that are kept to tell why it ended. */
const keptOutput = 8192

export interface WorkerLimits extends TimeLimits {
  /** Megabytes of JavaScript heap (the old generation). Buffers are not counted; the readers limit those themselves. */
  maxMemoryMb: number
}

export interface WorkerProcessOptions extends WorkerLimits {
  /** Megabytes for short-lived objects. A larger young generation means fewer collections. Default: Node's own. */
  youngGenerationMb?: number
}

export interface AskOptions {
  /** Replaces the limit of the process for this request. */
  timeoutMs?: number | undefined
  /** Replaces the limit of the process for this request. */
  processorMs?: number | undefined
  /** Ends the work: the process is killed, and the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

/**
 * A child process that runs the module `entry`, which calls `answerRequests`, and gives one answer to each request. It
 * stays warm between requests and keeps our process alive only during one. When a request fails without an answer, the
 * process is killed, and the next request starts another one.
 *
 * It is a process and not a worker thread because only a process can be bounded: V8 ends the whole process when a
 * thread asks for one object beyond its heap limit, and a thread that fills its heap in a loop may neither stop at its
 * limit nor be terminated.
 */
export class WorkerProcess<Request extends Serializable, Answer> implements AsyncDisposable {
  readonly #entry: string
  readonly #options: WorkerProcessOptions
  #child: Child | undefined
  #isClosed = false

  constructor(entry: URL, options: WorkerProcessOptions) {
    this.#entry = fileURLToPath(entry)
    this.#options = options
  }

  /** Starts the process, if none runs, so that the next request does not wait for its start. */
  start(): void {
    if (this.#isClosed) return
    try {
      this.#requireChild()
    } catch {
      // The next request tries again, and its caller gets the reason.
    }
  }

  /** Sends one request; the caller waits for its answer before the next. Rejects with WorkerError. */
  async ask(request: Request, { timeoutMs, processorMs, signal }: AskOptions = {}): Promise<Answer> {
    signal?.throwIfAborted()
    if (this.#isClosed) throw closedError()
    const child = this.#requireChild()
    // Answers have no number, so a second request could be given the answer to the first.
    if (child.onEnd) throw new Error('The process has not answered the request before.')
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const limits = {
      timeoutMs: timeoutMs ?? this.#options.timeoutMs,
      processorMs: processorMs ?? this.#options.processorMs,
    }
    using _limits = watchLimits(child.process.pid, limits, reject)
    const onAbort = () => reject(signal?.reason)
    signal?.addEventListener('abort', onAbort)
    // The package that uses the worker types both sides of its messages, and the worker runs its own code.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as said above
    const onMessage = (answer: unknown) => resolve(answer as Answer)
    child.process.once('message', onMessage)
    child.onEnd = (error) => reject(this.#isClosed ? closedError() : error)
    child.ref()
    // A process that did not start or has just ended cannot be sent to; its end is the better explanation and follows.
    if (child.process.connected) child.process.send(request, () => {})
    try {
      return await promise
    } catch (error) {
      await this.#kill(child)
      throw error
    } finally {
      signal?.removeEventListener('abort', onAbort)
      child.process.off('message', onMessage)
      child.onEnd = undefined
      child.unref()
    }
  }

  /** Kills the process with all that it keeps. The next request starts another one. */
  async stop(): Promise<void> {
    if (this.#child) await this.#kill(this.#child)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    await this.stop()
  }

  #requireChild(): Child {
    if (this.#child?.process.connected === true) return this.#child
    try {
      this.#child = new Child(this.#entry, this.#options)
    } catch (cause) {
      throw new WorkerError('crashed', 'It did not start.', { cause })
    }
    return this.#child
  }

  /** Kills a process and waits for its end, so that its memory is free before the next one starts. */
  async #kill(child: Child): Promise<void> {
    if (child === this.#child) this.#child = undefined
    child.ref()
    child.kill()
    await child.end
    child.unref()
  }
}

function closedError(): WorkerError {
  return new WorkerError('closed', 'The process was closed.')
}

class Child {
  readonly process: ChildProcess
  /** Resolves with the cause when the process has ended. */
  readonly end: Promise<WorkerError>
  /**
   * Is called when the process has ended, for the request that runs. A reaction to `end` for each request would stay in
   * memory as long as the process runs.
   */
  onEnd: ((error: WorkerError) => void) | undefined
  readonly #stderr: (Readable & { ref?(): void; unref?(): void }) | null | undefined
  /** Calls of `ref` that still hold. An answer may arrive while the end is awaited, and must not unref then. */
  #waiting = 0

  constructor(entry: string, { maxMemoryMb, youngGenerationMb }: WorkerProcessOptions) {
    // V8's young generation has three semi-spaces. They start at 1 MB, which means many collections before they grow.
    const semiSpaceMb = Math.ceil((youngGenerationMb ?? 0) / 3)
    const young = ['min', 'max'].map((bound) => `--${bound}-semi-space-size=${semiSpaceMb}`)
    this.process = fork(entry, [], {
      execArgv: [`--max-old-space-size=${maxMemoryMb}`, ...(youngGenerationMb === undefined ? [] : young)],
      env: toEnvironment(),
      // It keeps the types of Buffers, Maps and undefined, which JSON would lose.
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    // Without a listener, an error such as EMFILE at the start or one between two requests would end our process.
    this.process.on('error', () => {})
    const { stderr, pid } = this.process
    // Workers get a lower priority, so that the server still answers requests when the processors are busy.
    if (pid !== undefined) lowerPriority(pid)
    this.#stderr = stderr
    let output = ''
    // There is no error output if the process could not be started for want of file descriptors.
    stderr?.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-keptOutput)))
    this.end = new Promise((resolve) => {
      // If the process does not start, there is no `close`.
      const detail = pid === undefined ? 'It did not start.' : 'It is not reachable.'
      this.process.once('error', (cause) => resolve(new WorkerError('crashed', detail, { cause })))
      this.process.once('close', (code, signal) => resolve(explainEnd(code, signal, output)))
    })
    void this.end.then((error) => this.onEnd?.(error))
    this.#unref()
  }

  kill(): void {
    // A process that did not start has no id. A signal to the id 0 would go to our own process group.
    if (this.process.pid !== undefined) this.process.kill('SIGKILL')
  }

  /** Keeps our process alive until `unref` was called as often. */
  ref(): void {
    this.#waiting++
    this.process.ref()
    this.process.channel?.ref()
    this.#stderr?.ref?.()
  }

  unref(): void {
    this.#waiting--
    if (this.#waiting === 0) this.#unref()
  }

  #unref(): void {
    this.process.unref()
    this.process.channel?.unref()
    this.#stderr?.unref?.()
  }
}

/**
 * A worker gets no settings and no secrets, because it reads foreign files; the compile cache lets it start faster.
 * With one arena for all threads, glibc's allocator needs about 10 MB less, and threads that compile rarely wait.
 */
function toEnvironment(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir()
  const allocator = { MALLOC_ARENA_MAX: '1' }
  // Node's folder is one below that of the setting, named after its version.
  return folder === undefined ? allocator : { ...allocator, NODE_COMPILE_CACHE: dirname(folder) }
}

function explainEnd(code: number | null, signal: NodeJS.Signals | null, output: string): WorkerError {
  if (output.includes('JavaScript heap out of memory')) return new WorkerError('out-of-memory', '')
  // The kernel kills with SIGKILL when the machine is out of memory, and we do when the worker is closed.
  if (code === 0 || signal === 'SIGKILL') return new WorkerError('exited', `The process ended with ${signal ?? code}.`)
  const thrown = output.split('\n').find((line) => /^\w*Error\b/.test(line))
  return new WorkerError('crashed', thrown ?? `The process ended with ${signal ?? `code ${code}`}.`)
}

/** A sandbox such as a seccomp filter may refuse the call, and the process may have ended; both do no harm. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The process keeps its priority.
  }
}
