import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

/** Returns a TCP port of this machine on which no program listens. Another may take it before it is used. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
