import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

export const token = 'fl_token-of-the-stories-0123456789abcdefghi'

/** The server as `npm start` runs it: a process of its own over a data folder. */
export interface ServerProcess extends AsyncDisposable {
  url: string
  /** What it has printed so far. */
  output(): string
  /** Sends a signal and gives the exit code, null when the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

export interface ServerOptions {
  dataDir: string
  /** More of the environment. */
  env?: Record<string, string>
}

/** Starts it and waits until it answers; rejects with what it printed when it ends instead. */
export async function startServerProcess({ dataDir, env = {} }: ServerOptions): Promise<ServerProcess> {
  const port = env.FAIRLEAD_PORT ?? String(await findFreePort())
  const child = spawn(process.execPath, [join(root, 'apps/server/src/main.ts')], {
    env: {
      PATH: process.env.PATH,
      FAIRLEAD_PORT: port,
      FAIRLEAD_DATA_DIR: dataDir,
      FAIRLEAD_INITIAL_API_TOKEN: token,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
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
    output: () => output,
    end,
    async [Symbol.asyncDispose]() {
      await end('SIGKILL')
    },
  }
}

async function waitForAnswer(url: string, child: ChildProcess, output: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}: ${output()}`)
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

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
