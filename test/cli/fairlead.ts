import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { main } from '../../apps/cli/src/main.ts'
import { openTemporaryFolder, type ServerProcess, startServerProcess, token } from '../processes/server-process.ts'
import { readJson } from '../../scripts/read-json.ts'

const program = join(import.meta.dirname, '../../apps/cli/src/bin.ts')

export interface Ended {
  /** The exit code; null when a signal ended the process. */
  code: number | null
  stdout: string
  stderr: string
}

export interface RunOptions {
  env?: Record<string, string>
  cwd?: string
  /** The text on standard input. */
  input?: string
  /** Ends a command that runs in this process, as Ctrl-C ends one of its own. */
  signal?: AbortSignal
  /** Called with the process and what it has written to standard error so far, whenever that grows. */
  onStderr?: (child: ChildProcess, stderr: string) => void
}

/** A server, and the command line that calls it from a process of its own. */
export interface Desk extends AsyncDisposable {
  server: ServerProcess
  /** The folder of the server. */
  dataDir: string
  /** A folder for the files of the test. */
  folder: string
  /** Runs `fairlead` with these arguments until it ends. */
  fairlead(args: string[], options?: RunOptions): Promise<Ended>
  /** Runs `fairlead` and returns its output, parsed as JSON. Rejects when it fails. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each test asserts the shape that it expects
  json<Content = any>(...args: string[]): Promise<Content>
}

/** @param env further settings of the server */
export async function openDesk(env: Record<string, string> = {}): Promise<Desk> {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await openTemporaryFolder())
  const data = opened.use(await openTemporaryFolder())
  const server = opened.use(await startServerProcess({ dataDir: data.path, env }))
  const closers = opened.move()
  const fairlead = (args: string[], options: RunOptions = {}) =>
    runFairlead(args, {
      cwd: folder.path,
      ...options,
      env: {
        FAIRLEAD_URL: server.url,
        FAIRLEAD_TOKEN: token,
        FAIRLEAD_CONFIG_DIR: join(folder.path, '.config'),
        FAIRLEAD_CACHE_DIR: join(folder.path, '.cache'),
        ...options.env,
      },
    })
  return {
    server,
    dataDir: data.path,
    folder: folder.path,
    fairlead,
    async json<Content>(...args: string[]) {
      const { code, stdout, stderr } = await fairlead([...args, '--json'])
      if (code !== 0) throw new Error(`fairlead ${args.join(' ')} ended with ${code}: ${stderr}`)
      return readJson<Content>(stdout)
    },
    [Symbol.asyncDispose]: () => closers.disposeAsync(),
  }
}

/** Runs the command line in a process of its own until it ends. */
export async function runFairlead(args: string[], { env = {}, cwd, input, onStderr }: RunOptions): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    onStderr?.(child, stderr)
  })
  // A process that ends without reading its input breaks the pipe, which is no failure of the test.
  child.stdin.on('error', () => {})
  child.stdin.end(input ?? '')
  await once(child, 'close')
  return { code: child.exitCode, stdout, stderr }
}

/** Runs the command line in this process, which takes a tenth of the time of one of its own. */
export async function runHere(args: string[], options: RunOptions): Promise<Ended> {
  const { env = {}, cwd = '.', input = '', signal = new AbortController().signal } = options
  const collect = () => {
    const pieces: string[] = []
    const stream = new Writable({
      write(chunk, _encoding, done) {
        pieces.push(String(chunk))
        done()
      },
    })
    return { stream, read: () => pieces.join('') }
  }
  const [stdout, stderr] = [collect(), collect()]
  const code = await main(args, {
    stdin: Readable.from(input === '' ? [] : [input]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    env,
    cwd,
    signal,
    onSignal: () => ({ [Symbol.dispose]: () => {} }),
  })
  return { code, stdout: stdout.read(), stderr: stderr.read() }
}
