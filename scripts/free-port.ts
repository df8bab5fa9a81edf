import { createServer, type Server } from 'node:net'

/** Returns the port of a server that listens on a TCP port. Throws if it listens on a path, or not at all. */
export function requirePort(server: Pick<Server, 'address'>): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens on no TCP port')
  return address.port
}

/** Returns a TCP port of this machine on which no program listens. Another may take it before it is used. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const port = requirePort(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}
