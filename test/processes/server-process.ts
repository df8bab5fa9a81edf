import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../../scripts/free-port.ts'

/** The program that `npm start` runs. */
export const serverSource = join(import.meta.dirname, '../../apps/server/src/main.ts')

export const token = 'fl_token-of-the-stories-0123456789abcdefghi'

/** The server as a separate process over a data folder, as `npm start` runs it. */
export interface ServerProcess extends AsyncDisposable {
  url: string
  pid: number
  /** Everything it has printed so far. */
  output(): string
  /** Whether the process has ended, by a signal or by itself. */
  hasEnded(): boolean
  /** Sends a signal and returns the exit code, or null when the signal terminated it. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

export interface ServerOptions {
  dataDir: string
  /** Additional environment variables. */
  env?: Record<string, string>
  /** A file that gets the standard output; `output` is then empty. */
  stdout?: string
  /** The program that is started, and arguments before the path of the server. By default this process's Node. */
  command?: readonly [string, ...string[]]
  /** The path of the server: by default the bundle of this run of all tests, else the source. */
  program?: string
}

/** Starts the server and waits until it answers. Rejects with its output when it exits instead. */
export async function startServerProcess(options: ServerOptions): Promise<ServerProcess> {
  const { dataDir, env = {}, stdout, command = [process.execPath] } = options
  const { program = process.env.SERVER_OF_TESTS ?? serverSource } = options
  const [node, ...before] = command
  const port = env.FAIRLEAD_PORT ?? String(await findFreePort())
  const child = spawn(node, [...before, program], {
    env: {
      PATH: process.env.PATH,
      FAIRLEAD_PORT: port,
      FAIRLEAD_DATA_DIR: dataDir,
      FAIRLEAD_INITIAL_API_TOKEN: token,
      ...env,
    },
    stdio: ['ignore', stdout === undefined ? 'pipe' : openSync(stdout, 'a'), 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const url = `http://127.0.0.1:${port}`
  await waitForAnswer(`${url}/healthz`, child, () => output)
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
    return child.exitCode
  }
  return {
    url,
    pid: child.pid ?? 0,
    output: () => output,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    end,
    async [Symbol.asyncDispose]() {
      await end('SIGKILL')
    },
  }
}

async function waitForAnswer(url: string, child: ChildProcess, output: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`the server ended with ${child.exitCode ?? child.signalCode}: ${output()}`)
    }
    const answered = await fetch(url).then(
      () => true,
      () => false,
    )
    if (answered) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

export interface TemporaryFolder extends AsyncDisposable {
  path: string
}

export async function openTemporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'fairlead-story-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
