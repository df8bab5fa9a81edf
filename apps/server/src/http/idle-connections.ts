import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** After so many looks at it, a connection on which nothing ever came is closed. */
const silentLooks = 10

interface Connection {
  /** Requests without a whole answer. */
  running: number
  /** How many bytes had come when the last answer ended. */
  bytesRead: number
  /** How often `closeIdleConnections` has found that nothing ever came. */
  silent: number
}

/**
 * Lets `closeIdleConnections`, which Node itself calls when a server closes, lose nothing. Node also counts those
 * connections as idle whose last answer still waits to be sent, which cuts the answer off, and those from which nothing
 * has been read, although the first request of a proxy may have arrived: it then says 502. Here a connection is idle
 * when its last answer is with the operating system and nothing has come after it, or when nothing comes at all.
 */
export function closeOnlyIdleConnections(server: Server): void {
  const connections = new Map<Socket, Connection>()

  server.on('connection', (socket: Socket) => {
    connections.set(socket, { running: 0, bytesRead: 0, silent: 0 })
    socket.once('close', () => connections.delete(socket))
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(socket)
    if (!connection) return
    connection.running++
    response.once('close', () => {
      connection.running--
      connection.bytesRead = socket.bytesRead
    })
  })

  server.closeIdleConnections = () => {
    for (const [socket, connection] of connections) {
      if (connection.running > 0 || socket.bytesRead > connection.bytesRead) continue
      if (connection.bytesRead > 0 || ++connection.silent > silentLooks) socket.destroy()
    }
  }
}
