import { write } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

/** The most bytes of log lines that wait to be written; lines beyond this are dropped. */
const maxWaiting = 4 * 2 ** 20
/** How long the process waits at its end for the last lines to be written. */
const graceMs = 1000

export interface LogStream extends AsyncDisposable {
  write(line: string): void
}

/**
 * Opens a file descriptor for the log, by default the standard output. Lines are written by Node's thread pool, and
 * those that cannot be written are dropped, so that neither a full disk nor a reader that has stopped reading holds up
 * the server.
 */
export function openLogStream(descriptor = 1): LogStream {
  let waiting: string[] = []
  let waitingSize = 0
  let writing: Promise<void> | undefined

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const bytes = Buffer.from(waiting.join(''))
      waiting = []
      waitingSize = 0
      await writeBytes(descriptor, bytes)
    }
    writing = undefined
  }

  return {
    write(line) {
      if (waitingSize + line.length > maxWaiting) return
      waiting.push(line)
      waitingSize += line.length
      writing ??= writeAll()
    },
    async [Symbol.asyncDispose]() {
      await Promise.race([writing, setTimeout(graceMs, undefined, { ref: false })])
    },
  }
}

/** Resolves when the bytes are written, or cannot be. */
async function writeBytes(descriptor: number, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const written = await new Promise<number | undefined>((resolve) => {
      write(descriptor, bytes, at, bytes.length - at, null, (error, count) => resolve(error ? undefined : count))
    })
    if (written === undefined) return
    at += written
  }
}
