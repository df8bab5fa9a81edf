import type { Server } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'

/** How long the server still accepts clients that are connecting when it gets the signal to stop, in milliseconds. */
const connectingMs = 50
/** A turn of the event loop that takes longer leaves time for another client to connect, in milliseconds. */
const quickTurnMs = 0.1
/** A server to which clients connect all the time closes after this time, in milliseconds. */
const patienceMs = 2000

/**
 * Resolves when no connection waits to be accepted. The operating system resets connections that still wait when the
 * listening socket closes, and a proxy must not repeat a POST that was reset. The caller must close the server before
 * it awaits anything else. Node accepts one connection in each turn of the event loop, so a turn without one means that
 * none waits. A client that connects between the end of that turn and the closing is still reset: POSIX has no way to
 * refuse new connections and keep those that wait.
 */
export async function acceptWaiting(server: Server): Promise<void> {
  let hasAccepted = false
  const notice = () => {
    hasAccepted = true
  }
  server.on('connection', notice)
  await setTimeout(connectingMs)
  const deadline = performance.now() + patienceMs
  for (let turnStart = performance.now(); turnStart < deadline;) {
    hasAccepted = false
    await setImmediate()
    const now = performance.now()
    if (!hasAccepted && now - turnStart < quickTurnMs) break
    turnStart = now
  }
  server.off('connection', notice)
}
