import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { closeWhenNoneWaits } from './close-sockets.ts'
import { requireAddress } from './listening-address.ts'

/**
 * Sockets that accept connections for one port. The event loop accepts one connection of each socket in each turn, so
 * with a single socket a burst of a few hundred connections keeps every new client waiting for as many turns.
 */
const sockets = 256

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
  // Another process could share the port with these sockets unnoticed, so a socket that shares nothing is tried first.
  if (address.port !== 0) await (await listen(createServer(), { ...address, reusePort: false }))[Symbol.asyncDispose]()
  // `reusePort` is an option of Node; Fastify passes options that it does not know on to Node.
  const shared = { ...address, reusePort: canShare }
  await app.listen(shared)
  const { address: host, port } = requireAddress(app.server)
  // Node's own HTTP server sets these options on its socket. Without `noDelay`, the rest of an answer in several parts
  // waits some 40 ms for the client's delayed acknowledgement (Nagle's algorithm).
  const asHttpServers = { noDelay: true, allowHalfOpen: true }
  const others: Server[] = []
  const wanted = canShare ? sockets : 1
  while (others.length + 1 < wanted) {
    const other = createServer(asHttpServers, (socket) => app.server.emit('connection', socket))
    others.push(await listen(other, { ...address, host, port, reusePort: true }))
  }
  return {
    // The application's server hears of the connections of all sockets, so it is the last.
    close: () => closeWhenNoneWaits([...others, app.server]),
  }
}

async function listen(server: Server, options: ListenAddress & { reusePort: boolean }): Promise<Server> {
  server.listen(options)
  await once(server, 'listening')
  return server
}
