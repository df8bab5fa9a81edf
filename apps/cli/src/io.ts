import type { Readable, Writable } from 'node:stream'

type Terminal<Stream> = Stream & { readonly isTTY?: boolean; readonly columns?: number }

/** Everything through which a command meets the world. Tests and other programs bring their own. */
export interface Io {
  readonly stdin: Terminal<Readable>
  /** The result, and nothing else: what a script reads. */
  readonly stdout: Terminal<Writable>
  /** Progress, warnings and errors. */
  readonly stderr: Terminal<Writable>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
}

/** The streams and signals of this process. */
export function openProcessIo(): Io {
  const { stdin, stdout, stderr, env } = process
  const interruption = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    // The second signal ends the process at once, because this listener is gone by then.
    process.once(name, () => interruption.abort(new DOMException('Interrupted', 'AbortError')))
  }
  // A reader such as `head` that has read enough is no failure.
  stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  return { stdin, stdout, stderr, env, cwd: process.cwd(), signal: interruption.signal }
}
