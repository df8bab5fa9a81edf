import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { closeWhenNoneWaits } from './close-sockets.ts'
import { closeOnlyIdleConnections } from './idle-connections.ts'
import { requireAddress } from './listening-address.ts'

/**
 * Sockets that accept connections for one port. The event loop accepts one connection of each socket in each turn, so
 * with a single socket a burst of a few hundred connections keeps every new client waiting for as many turns.
 */
const sockets = 256

/** How often connections that became idle are closed while the server closes, in milliseconds. */
const tidyingMs = 100

/** How long another server of this machine may take to accept a connection, in milliseconds. */
const connectMs = 1000
/** Addresses at which a server that listens at all addresses can be reached from this machine. */
const loopbackOf: Record<string, string[] | undefined> = { '0.0.0.0': ['127.0.0.1'], '::': ['127.0.0.1', '::1'] }

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
  if (address.port !== 0) await refuseSharedPort(address)
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

/**
 * Another process of the same user could share the port with this one unnoticed, and each would get some of the
 * clients. It is looked for as a client does: a socket that shares nothing would find it as well, but would answer or
 * lose the clients that connect before it closes again.
 *
 * @throws {Error} `EADDRINUSE`, as Node's own
 */
async function refuseSharedPort({ host, port }: ListenAddress): Promise<void> {
  for (const address of loopbackOf[host] ?? [host]) {
    if (!(await isListening(address, port))) continue
    throw Object.assign(new Error(`Another process listens on ${host}:${port}.`), { code: 'EADDRINUSE' })
  }
}

async function isListening(host: string, port: number): Promise<boolean> {
  const client = connect({ host, port, timeout: connectMs })
  try {
    await Promise.race([once(client, 'connect'), once(client, 'timeout')])
    // The operating system may give a client the port that it connects to, and connects it to itself.
    return !client.connecting && client.localPort !== port
  } catch {
    return false
  } finally {
    client.destroy()
  }
}

async function listen(server: Server, options: ListenAddress & { reusePort: boolean }): Promise<Server> {
  server.listen(options)
  await once(server, 'listening')
  return server
}
