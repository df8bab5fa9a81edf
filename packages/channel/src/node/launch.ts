import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync } from 'node:fs'
import { setTimer } from '../host-clock.ts'
import type { XPCService } from '../xpc-service.ts'
import { findChildExit, type Exit } from './app-process.ts'
import { connectApp } from './connect-app.ts'
import { variable, writeAddress } from './environment.ts'
import { openFifoPair, type FifoPair } from './fifo-pair.ts'
import { TestedApp } from './tested-app.ts'

export interface LaunchOptions {
  readonly command: string
  readonly args?: readonly string[] | undefined
  readonly cwd?: string | undefined
  /** Replaces this process's environment for the app. */
  readonly env?: NodeJS.ProcessEnv | undefined
  /** Settings of stdin, stdout and stderr. By default, stdin is ignored and the output is inherited. */
  readonly stdio?: readonly [StdioOption, StdioOption, StdioOption] | undefined
  /** Milliseconds within which the app must load the channel; default 30,000. */
  readonly timeout?: number | undefined
  /** Whether the app exits when its test is gone; default `exit`. */
  readonly whenTestEnds?: 'exit' | 'continue' | undefined
  /** The path of a new file to which all messages are written as JSON lines, to be attached to a test report. */
  readonly transcript?: string | undefined
  /** Registers handlers before the app runs, for messages that it sends during its launch. */
  readonly register?: ((xpcService: XPCService) => void) | undefined
}

export type StdioOption = 'ignore' | 'inherit' | 'pipe' | number

/** Milliseconds that an app gets to exit by itself. */
const exitTimeMs = 1000

const launched = new Set<ChildProcess>()

/** Kills launched apps when the test process exits, so that none outlives it. */
function killLaunched(): void {
  for (const child of launched) child.kill('SIGKILL')
}

/** An app that this process launched. `process` has its output streams if `stdio` is `pipe`. */
export class LaunchedApp extends TestedApp {
  readonly process: ChildProcess

  constructor(process: ChildProcess, ...rest: ConstructorParameters<typeof TestedApp>) {
    super(...rest)
    this.process = process
  }
}

/**
 * Launches an app with the channel open; resolves when it has loaded `@fairlead/channel/app`.
 *
 * @throws XPCError `connectionLost` if it ends before, `timeout` if it never does, `protocol` for another version.
 */
export async function launch(options: LaunchOptions): Promise<LaunchedApp> {
  const pair = openFifoPair()
  const child = spawnApp(options, pair)
  const exited = watchExit(child)
  const { peer, xpcService } = await connectApp({
    descriptors: { read: pair.testReads, write: pair.testWrites },
    greeting: { pid: process.pid, whenTestEnds: options.whenTestEnds ?? 'exit' },
    timeoutMs: options.timeout ?? 30_000,
    register: options.register,
    transcript: options.transcript,
    pid: () => child.pid,
    findExit: () => findChildExit(child),
    exited,
  }).catch(async (error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  const { pid } = child
  if (pid === undefined) throw new Error('An app that has answered has no process id')
  return new LaunchedApp(child, xpcService, {
    pid,
    exited,
    end: () => {
      peer.close()
      // An app that exits with its test does so by itself and runs its exit handlers.
      if (options.whenTestEnds === 'continue') child.kill('SIGTERM')
      else setTimer(() => child.kill('SIGTERM'), exitTimeMs).unref()
    },
    kill: () => child.kill('SIGKILL'),
  })
}

function spawnApp(options: LaunchOptions, pair: FifoPair): ChildProcess {
  const { command, args = [], cwd, env = process.env, stdio = ['ignore', 'inherit', 'inherit'] } = options
  try {
    const address = writeAddress({ kind: 'descriptors', read: 3, write: 4 })
    return spawn(command, args, {
      cwd,
      env: { ...env, [variable]: address },
      stdio: [...stdio, pair.appReads, pair.appWrites],
    })
  } catch (error) {
    closeSync(pair.testReads)
    closeSync(pair.testWrites)
    throw error
  } finally {
    closeSync(pair.appReads)
    closeSync(pair.appWrites)
  }
}

/** Rejects if the command could not be started. */
async function watchExit(child: ChildProcess): Promise<Exit> {
  const { promise, resolve, reject } = Promise.withResolvers<Exit>()
  if (launched.size === 0) process.on('exit', killLaunched)
  launched.add(child)
  const forget = () => {
    launched.delete(child)
    if (launched.size === 0) process.off('exit', killLaunched)
  }
  child.once('exit', (code, signal) => {
    forget()
    resolve({ code, signal })
  })
  child.once('error', (error) => {
    forget()
    reject(error)
  })
  return promise
}
