import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../scripts/free-port.ts'

const root = join(import.meta.dirname, '..')

/** Servers that answer small requests run on one core, their clients on the other. */
export const serverCore = '0'
const clientCore = '1'
/** Transfers of large files may use both cores, because disk threads and the garbage collector do too. */
export const bothCores = '0,1'

export interface RunningServer extends AsyncDisposable {
  url: string
  pid: number
}

/** Runs a client command pinned to the client core and returns its output. */
export function runClient(command: string, args: string[]): Promise<string> {
  return run('taskset', ['-c', clientCore, command, ...args])
}

/** Runs a command without pinning and returns its output. */
export async function run(command: string, args: string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${String(code)}`)
  return output
}

export interface PinOptions {
  env?: Record<string, string>
  cores?: string
}

/** Starts a server pinned to its core and waits until it answers. */
export async function startPinned(
  url: string,
  command: string[],
  { env = {}, cores = serverCore }: PinOptions = {},
): Promise<RunningServer> {
  const child = spawn('taskset', ['-c', cores, ...command], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  // A benchmark that fails, for example because a program is missing, leaves no server behind.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  await waitForAnswer(url, child)
  return {
    url,
    pid: child.pid!,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function waitForAnswer(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server for ${url} ended with ${child.exitCode}`)
    const answered = await fetch(url).then(
      () => true,
      () => false,
    )
    if (answered) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Starts Fairlead as `npm start` does, over a data folder. */
export async function startFairlead(dataDir: string, token: string, cores?: string): Promise<RunningServer> {
  const port = await findFreePort()
  return startPinned(`http://127.0.0.1:${port}`, [process.execPath, join(root, 'apps/server/src/main.ts')], {
    ...(cores !== undefined && { cores }),
    env: {
      FAIRLEAD_PORT: String(port),
      FAIRLEAD_DATA_DIR: dataDir,
      FAIRLEAD_INITIAL_API_TOKEN: token,
      FAIRLEAD_LOG_LEVEL: 'warn',
    },
  })
}

export interface Folder extends AsyncDisposable {
  path: string
}

export async function openTemporaryFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'fairlead-bench-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** The kernel counts CPU time in hundredths of a second. */
export const microsecondsPerTick = 10_000

/** Returns the CPU time that a process has used so far, in microseconds. Linux only. */
export async function readCpuTime(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The program's name is in parentheses and may contain spaces. User and system time are fields 12 and 13 after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * microsecondsPerTick
}

/** Returns the CPU time that a process and those that it started and are still running have used, in microseconds. */
export async function readTreeCpuTime(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const pids = children.trim().split(' ').filter(Boolean).map(Number)
  const times = await Promise.all([readCpuTime(pid).catch(() => 0), ...pids.map(readTreeCpuTime)])
  return times.reduce((sum, time) => sum + time, 0)
}

/** Returns the peak resident memory of a process so far, in bytes. Linux only. */
export async function readPeakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}
