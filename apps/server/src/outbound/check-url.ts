import { isIP } from 'node:net'
import type { HooksAllow } from '../settings/hooks-allow.ts'
import { isListedHost, isRefused } from './networks.ts'

export function toPort(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
}

/** Returns the address of a URL whose host is one in any spelling, which `URL` has turned into the usual one. */
export function findLiteral(url: URL): string | undefined {
  const bare = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(bare) === 0 ? undefined : bare
}

/** Returns what is wrong with an address that a user gives, before any name is resolved; undefined if nothing is. */
export function findUrlFault(allow: HooksAllow, text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !['https:', 'http:'].includes(url.protocol)) return 'must be an address that begins with https://'
  if (url.username !== '' || url.password !== '') return 'must hold no user and no password'
  const [address, port] = [findLiteral(url), toPort(url)]
  if (address !== undefined && isRefused(allow, { address, host: url.hostname, port })) {
    return 'is an address inside the network of the server'
  }
  if (url.protocol === 'http:' && !isListed(allow, url, address, port)) return 'must begin with https://'
  return undefined
}

function isListed(allow: HooksAllow, url: URL, address: string | undefined, port: number): boolean {
  if (isListedHost(allow, url.hostname, port)) return true
  if (address === undefined) return false
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
  return allow.networks.some((network) => (network.port ?? port) === port && network.list.check(address, family))
}
