import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Io } from '../io.ts'
import { watchOutput } from './outside-errors.ts'

export interface EndedCommand {
  /** The exit code; for a command that a signal ended, 128 and the number of the signal, as shells have it. */
  code: number
  signal: NodeJS.Signals | null
  /** The first error outside of tests that its output names; null if there is none, or if it wrote to a terminal. */
  outsideError: string | null
  /** Why the command could not be started; null if it ran. */
  startFault: StartFault | null
}

interface StartFault {
  message: string
  fix: string
}

interface ChildOptions {
  /** Sends the standard output of the command to standard error, where scripts do not read it. */
  toStderr: boolean
}

/** How long the output is read after the command has ended. */
const leftBehindMs = 2000

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
  return await new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (child.pid !== undefined) return // a signal that could not be sent; the command runs on
      resolve(describeStart(program, error))
    })
    const end = (code: number | null, signal: NodeJS.Signals | null) =>
      resolve({
        code: code ?? 128 + (signal === null ? 0 : constants.signals[signal]),
        signal,
        outsideError: watch.found,
        startFault: null,
      })
    child.once('close', end)
    // A process that the command left behind may hold the pipes open for ever.
    child.once('exit', (code, signal) => setTimeout(() => end(code, signal), leftBehindMs).unref())
  })
}

/** A command that cannot be started ends with the codes of `env` and of shells. */
function describeStart(program: string, { code, message }: NodeJS.ErrnoException): EndedCommand {
  const ended = { signal: null, outsideError: null }
  if (code === 'ENOENT') {
    const fix = /\s/.test(program)
      ? 'Give the program and its arguments as words of their own, without quotation marks around all of them'
      : 'See that PATH names its folder, or give its path. Programs of npm packages start with npx.'
    return { ...ended, code: 127, startFault: { message: `The program ${program} was not found`, fix } }
  }
  if (code === 'EACCES') {
    const fix = 'See that it is a file that this user may execute: chmod +x'
    return { ...ended, code: 126, startFault: { message: `The program ${program} may not be run`, fix } }
  }
  const fault = { message: `The program ${program} could not be started`, fix: `The system says: ${message}` }
  return { ...ended, code: 126, startFault: fault }
}
