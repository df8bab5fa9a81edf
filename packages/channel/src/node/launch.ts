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
  /** In place of this process's environment. */
  readonly env?: NodeJS.ProcessEnv | undefined
  /** Of stdin, stdout and stderr; unless given, no stdin, and the output of this process. */
  readonly stdio?: readonly [StdioOption, StdioOption, StdioOption] | undefined
  /** Milliseconds within which the app must have loaded the channel; 30,000 unless given. */
  readonly timeout?: number | undefined
  /** What the app does when its test is gone; it exits unless told to go on. */
  readonly whenTestEnds?: 'exit' | 'continue' | undefined
  /** Registers handlers before the app runs, for what it sends while it launches. */
  readonly register?: ((xpcService: XPCService) => void) | undefined
}

export type StdioOption = 'ignore' | 'inherit' | 'pipe' | number

/** What an app is given to exit by itself, in milliseconds. */
const exitTime = 1000

const launched = new Set<ChildProcess>()

/** No app outlives the test process that launched it, however that ends. */
function killLaunched(): void {
  for (const child of launched) child.kill('SIGKILL')
}

/** An app that this process launched, with its output where that was asked for as `pipe`. */
export class LaunchedApp extends TestedApp {
  readonly process: ChildProcess

  constructor(process: ChildProcess, ...rest: ConstructorParameters<typeof TestedApp>) {
    super(...rest)
    this.process = process
  }
}

/**
 * Launches an app with the channel open; resolves when it has loaded `@fairlead/channel/app`.
 * Throws XPCError `connectionLost` when it ends before, `timeout` when it never does, `protocol` for another version.
 */
export async function launch(options: LaunchOptions): Promise<LaunchedApp> {
  const pair = openFifoPair()
  const child = spawnApp(options, pair)
  const exited = watchExit(child)
  const { peer, xpcService } = await connectApp({
    descriptors: { read: pair.testReads, write: pair.testWrites },
    greeting: { pid: process.pid, whenTestEnds: options.whenTestEnds ?? 'exit' },
    timeout: options.timeout ?? 30_000,
    register: options.register,
    pid: () => child.pid,
    findExit: () => findChildExit(child),
    exited,
  }).catch(async (error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  return new LaunchedApp(child, xpcService, {
    pid: child.pid ?? 0,
    exited,
    end: () => {
      peer.close()
      // An app that exits with its test does so by itself, with its exit handlers.
      if (options.whenTestEnds === 'continue') child.kill('SIGTERM')
      else setTimer(() => child.kill('SIGTERM'), exitTime).unref()
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

/** Rejects when the command could not be run at all. */
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
