import { spawn } from 'node:child_process'
import type { Io } from '../io.ts'

/** The longest time that one call of git may take, in milliseconds. */
const timeoutMs = 60_000
/** The most bytes of a short output; longer ones are read as they come. */
const maxBytes = 16 * 2 ** 20

type GitIo = Pick<Io, 'cwd' | 'env' | 'signal'>

/** Settings of people must not change what git writes. */
const plainSettings = [
  'core.quotePath=false',
  'diff.noprefix=false',
  'diff.mnemonicPrefix=false',
  'diff.relative=false',
  'diff.renames=true',
  'diff.interHunkContext=0',
  'log.showSignature=false',
].flatMap((setting) => ['-c', setting])

interface GitInput {
  input?: string
  onChunk: (chunk: Buffer) => void
}

/** Runs git and hands over its output as it comes. Returns whether it succeeded. */
export async function streamGit(io: GitIo, args: readonly string[], { input, onChunk }: GitInput): Promise<boolean> {
  const child = spawn('git', [...plainSettings, ...args], {
    cwd: io.cwd,
    // A partial clone would fetch what it lacks, one object at a time.
    env: { ...io.env, GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1', LC_ALL: 'C' },
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: timeoutMs,
    signal: io.signal,
  })
  const { promise, resolve } = Promise.withResolvers<boolean>()
  child.on('error', () => resolve(false))
  child.on('close', (code) => resolve(code === 0))
  // Git may end before it has read its input.
  child.stdin.on('error', () => {})
  child.stdin.end(input ?? '')
  child.stdout.on('data', onChunk)
  return promise
}

/** Runs git and returns its output; undefined if it fails, takes too long or is not there. */
export async function readGit(io: GitIo, args: readonly string[]): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  const isDone = await streamGit(io, args, {
    onChunk(chunk) {
      length += chunk.length
      if (length <= maxBytes) chunks.push(chunk)
    },
  })
  return isDone && length <= maxBytes ? Buffer.concat(chunks).toString('utf8') : undefined
}

/** Runs git and returns the first line of its output. */
export async function readGitLine(io: GitIo, args: readonly string[]): Promise<string | undefined> {
  const line = (await readGit(io, args))?.split('\n', 1)[0]?.trim()
  return line === '' ? undefined : line
}

export async function succeeds(io: GitIo, args: readonly string[]): Promise<boolean> {
  return streamGit(io, args, { onChunk: () => {} })
}
