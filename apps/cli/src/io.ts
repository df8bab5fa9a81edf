import type { Readable, Writable } from 'node:stream'

type Terminal<Stream> = Stream & { readonly isTTY?: boolean; readonly columns?: number }

/** The streams, environment and signals of a command. Tests replace them. */
export interface Io {
  readonly stdin: Terminal<Readable>
  /** Receives the result and nothing else, because scripts read it. */
  readonly stdout: Terminal<Writable>
  /** Receives progress, warnings and errors. */
  readonly stderr: Terminal<Writable>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** Calls back for each signal that asks this process to end, which then does not end by itself. */
  readonly onSignal: (listener: (name: NodeJS.Signals) => void) => Disposable
}

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The streams and signals of this process. */
export function openProcessIo(): Io {
  const { stdin, stdout, stderr, env } = process
  const interruption = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    // The second signal ends the process at once, because this listener runs only once.
    process.once(name, () => interruption.abort(new DOMException('Interrupted', 'AbortError')))
  }
  // A reader that stops early, such as `head`, is not an error.
  stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  // Without a reader of progress and warnings, the command still does its work.
  stderr.on('error', () => {})
  return { stdin, stdout, stderr, env, cwd: process.cwd(), signal: interruption.signal, onSignal }
}

function onSignal(listener: (name: NodeJS.Signals) => void): Disposable {
  for (const name of endingSignals) process.on(name, listener)
  return {
    [Symbol.dispose]() {
      for (const name of endingSignals) process.off(name, listener)
    },
  }
}
