import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { CliError } from '../cli-error.ts'
import type { Io } from '../io.ts'
import { watchOutput } from './outside-errors.ts'

export interface EndedCommand {
  /** The exit code; for a command that a signal ended, 128 and the number of the signal, as shells have it. */
  code: number
  signal: NodeJS.Signals | null
  /** The first error outside of tests that its output names; null if there is none, or if it wrote to a terminal. */
  outsideError: string | null
}

interface ChildOptions {
  /** Sends the standard output of the command to standard error, where scripts do not read it. */
  toStderr: boolean
}

/** How long the output is read after the command has ended. */
const leftBehindMs = 2000

/** The exit codes of `env` and of shells for a command that cannot be started. */
const startFailures: Record<string, number> = { ENOENT: 127, EACCES: 126 }

/** Runs a command with the streams of this process, and forwards signals to it, until it ends. */
export async function runChild(io: Io, command: readonly string[], { toStderr }: ChildOptions): Promise<EndedCommand> {
  const [program = '', ...args] = command
  const stdout = toStderr ? io.stderr : io.stdout
  // A terminal stays the terminal of the command, so that it can draw there.
  const child = spawn(program, args, {
    cwd: io.cwd,
    stdio: ['inherit', stdout.isTTY === true ? (toStderr ? 2 : 1) : 'pipe', io.stderr.isTTY === true ? 2 : 'pipe'],
  })
  const watch = watchOutput()
  for (const [from, to] of [[child.stdout, stdout] as const, [child.stderr, io.stderr] as const]) {
    from?.on('data', (chunk: Buffer) => {
      if (watch.write(chunk, to)) return
      from.pause()
      to.once('drain', () => from.resume())
    })
  }
  using _signals = io.onSignal((name) => {
    // A terminal sends these to the command by itself.
    if (name !== 'SIGTERM' && io.stdin.isTTY === true) return
    child.kill(name)
  })
  return await new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (child.pid !== undefined) return // a signal that could not be sent; the command runs on
      const code = startFailures[error.code ?? ''] ?? 126
      reject(new CliError('failed', `The command ${program} cannot be started: ${error.code}`, { code }))
    })
    const end = (code: number | null, signal: NodeJS.Signals | null) =>
      resolve({
        code: code ?? 128 + (signal === null ? 0 : constants.signals[signal]),
        signal,
        outsideError: watch.found,
      })
    child.once('close', end)
    // A process that the command left behind may hold the pipes open for ever.
    child.once('exit', (code, signal) => setTimeout(() => end(code, signal), leftBehindMs).unref())
  })
}
