import type { AddressInfo, Server } from 'node:net'
import { invariant } from '@fairlead/invariant'

/** Returns the address of a server that listens on a TCP port. */
export function requireAddress(server: Pick<Server, 'address'>): AddressInfo {
  const address = server.address()
  invariant(typeof address === 'object' && address !== null, 'the server listens on a TCP port')
  return address
}
