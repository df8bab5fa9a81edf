import { once } from 'node:events'
import type { Server } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'

/** How long the server still accepts clients that are connecting when it gets the signal to stop, in milliseconds. */
const connectingMs = 50
/** A turn of the event loop that takes longer leaves time for another client to connect, in milliseconds. */
const quickTurnMs = 0.1
/** Sockets to which clients connect all the time are closed after this time, in milliseconds. */
const patienceMs = 5000

/**
 * Closes listening sockets one after the other, each at a moment when no connection waits to be accepted by it, and
 * resolves when their connections have ended. The operating system resets connections that still wait when their socket
 * closes, and a proxy must not repeat a POST that was reset. A client that connects between that moment and the closing
 * is still reset: POSIX has no way to refuse new connections and keep those that wait. That time is short and concerns
 * one of the sockets, so few clients can meet it.
 */
export async function closeWhenNoneWaits(servers: readonly Server[]): Promise<void> {
  await setTimeout(connectingMs)
  const deadline = performance.now() + patienceMs
  const closed: Promise<unknown>[] = []
  for (const server of servers) {
    await acceptWaiting(server, deadline)
    closed.push(once(server, 'close'))
    server.close()
  }
  await Promise.all(closed)
}

/**
 * Resolves when no connection waits to be accepted. Node accepts one connection of a socket in each turn of the event
 * loop, so a turn without one means that none waits. The caller must close the socket before it awaits anything else.
 */
async function acceptWaiting(server: Server, deadline: number): Promise<void> {
  let hasAccepted = false
  const notice = () => {
    hasAccepted = true
  }
  server.on('connection', notice)
  for (let turnStart = performance.now(); turnStart < deadline;) {
    hasAccepted = false
    await setImmediate()
    const now = performance.now()
    if (!hasAccepted && now - turnStart < quickTurnMs) break
    turnStart = now
  }
  server.off('connection', notice)
}
