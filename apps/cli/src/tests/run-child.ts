import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { CliError } from '../cli-error.ts'
import type { Io } from '../io.ts'

export interface EndedCommand {
  /** The exit code; for a command that a signal ended, 128 and the number of the signal, as shells have it. */
  code: number
  signal: NodeJS.Signals | null
}

interface ChildOptions {
  /** Sends the standard output of the command to standard error, where scripts do not read it. */
  toStderr: boolean
}

/** The exit codes of `env` and of shells for a command that cannot be started. */
const startFailures: Record<string, number> = { ENOENT: 127, EACCES: 126 }

/** Runs a command with the streams of this process, and forwards signals to it, until it ends. */
export async function runChild(io: Io, command: readonly string[], { toStderr }: ChildOptions): Promise<EndedCommand> {
  const [program = '', ...args] = command
  const child = spawn(program, args, { cwd: io.cwd, stdio: ['inherit', toStderr ? 2 : 'inherit', 'inherit'] })
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
    child.once('exit', (code, signal) => {
      resolve({ code: code ?? 128 + (signal === null ? 0 : constants.signals[signal]), signal })
    })
  })
}
