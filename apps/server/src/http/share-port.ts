import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { closeInQuickTurn, closeWhenNoneWaits } from './close-sockets.ts'
import { closeOnlyIdleConnections } from './idle-connections.ts'
import { requireAddress } from './listening-address.ts'

/**
 * Sockets that accept connections for one port. The event loop accepts one connection of each socket in each turn, so
 * with a single socket a burst of a few hundred connections keeps every new client waiting for as many turns.
 */
const sockets = 256

/** How often connections that became idle are closed while the server closes, in milliseconds. */
const tidyingMs = 100

export interface ListenAddress {
  host: string
  port: number
  backlog: number
}

/** Whether several sockets may share a port (`SO_REUSEPORT`); elsewhere one socket accepts alone. */
const canShare = process.platform === 'linux'

export interface Listener {
  /** Accepts the connections that wait and no more, and resolves when those of the application's server ended. */
  close(): Promise<void>
}

/** Listens for the application with several sockets. */
export async function listenOnSharedPort(app: FastifyInstance, address: ListenAddress): Promise<Listener> {
  closeOnlyIdleConnections(app.server)
  await app.ready()
  // Node's own HTTP server sets these options on its socket. Without `noDelay`, the rest of an answer in several parts
  // waits some 40 ms for the client's delayed acknowledgement (Nagle's algorithm).
  const asHttpServers = { noDelay: true, allowHalfOpen: true }
  const createListener = () => createServer(asHttpServers, (socket) => app.server.emit('connection', socket))
  // Another process could share the port with these sockets unnoticed, so a socket that shares nothing is tried first.
  // The clients that it accepts are answered as all others.
  if (address.port !== 0) await closeInQuickTurn(await listen(createListener(), { ...address, reusePort: false }))
  // `reusePort` is an option of Node; Fastify passes options that it does not know on to Node.
  const shared = { ...address, reusePort: canShare }
  await app.listen(shared)
  const { address: host, port } = requireAddress(app.server)
  const others: Server[] = []
  const wanted = canShare ? sockets : 1
  while (others.length + 1 < wanted) {
    others.push(await listen(createListener(), { ...address, host, port, reusePort: true }))
  }
  return {
    async close() {
      // A connection becomes idle after its last answer, and its client might keep it open for long.
      const tidying = setInterval(() => app.server.closeIdleConnections(), tidyingMs)
      try {
        // Closing the application's server takes longest, so it comes first: while others share its clients.
        await closeWhenNoneWaits([app.server, ...others])
      } finally {
        clearInterval(tidying)
      }
    },
  }
}

async function listen(server: Server, options: ListenAddress & { reusePort: boolean }): Promise<Server> {
  server.listen(options)
  await once(server, 'listening')
  return server
}
