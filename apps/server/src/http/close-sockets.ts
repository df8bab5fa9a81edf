import { once } from 'node:events'
import type { Server } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** How long the server still accepts clients that are connecting when it gets the signal to stop, in milliseconds. */
const connectingMs = 50
/** The longest turn of the event loop in which a socket closes, in milliseconds, and what each turn in vain adds. */
const quickTurnMs = 0.015
const concessionMs = 0.0005
/** A socket to which clients connect all the time is closed after so many turns. */
const mostTurns = 1000

/**
 * Closes listening sockets one after the other, each at a moment when no connection waits to be accepted by it, and
 * resolves when their connections have ended. The operating system resets connections that still wait when their socket
 * closes, and a proxy must not repeat a POST that was reset. A client that connects between that moment and the closing
 * is still reset: POSIX has no way to refuse new connections and keep those that wait. That time is short and concerns
 * one of the sockets, so few clients can meet it.
 */
export async function closeWhenNoneWaits(servers: readonly Server[]): Promise<void> {
  await setTimeout(connectingMs)
  const closed: Promise<unknown>[] = []
  for (const server of servers) {
    closed.push(once(server, 'close'))
    await closeInQuickTurn(server)
  }
  await Promise.all(closed)
}

/**
 * Closes a socket in a turn of the event loop in which it accepted nothing. Node accepts one connection of a socket in
 * each turn, so none waited when that turn looked for events, which it does first. A client that connects later in the
 * turn is lost, so the turn should be among the shortest that this machine has now. Connections may still be open when
 * the promise resolves.
 */
function closeInQuickTurn(server: Server): Promise<void> {
  return new Promise((resolve) => {
    let hasAccepted = true
    let turns = 0
    const notice = () => {
      hasAccepted = true
    }
    server.on('connection', notice)
    let turnStart = performance.now()
    // A promise would make the turn longer than a callback does.
    const endTurn = () => {
      const now = performance.now()
      const isQuick = now - turnStart < quickTurnMs + turns * concessionMs
      if ((!hasAccepted && isQuick) || turns === mostTurns) {
        server.close()
        server.off('connection', notice)
        resolve()
        return
      }
      turns++
      hasAccepted = false
      turnStart = now
      setImmediate(endTurn)
    }
    setImmediate(endTurn)
  })
}
