import { BlockList, isIP } from 'node:net'
import type { HooksAllow } from '../settings/hooks-allow.ts'
import { findInnerAddresses } from './inner-addresses.ts'

type Subnet = readonly [address: string, bits: number]

function createList(...subnets: Subnet[]): BlockList {
  const list = new BlockList()
  for (const [address, bits] of subnets) list.addSubnet(address, bits, isIP(address) === 4 ? 'ipv4' : 'ipv6')
  return list
}

/** Link-local, where metadata services of clouds answer, those that answer elsewhere, unspecified and multicast. */
const neverAllowed = createList(
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
  ['::', 128],
  ['fe80::', 10],
  ['ff00::', 8],
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
)

/** The networks of the IANA registries of special-purpose addresses that no public host has. */
const special = createList(
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
)

/** All public hosts of IPv6 are in it. */
const globalUnicast = createList(['2000::', 3])

interface Target {
  address: string
  /** The host of the URL, as `URL` writes it. */
  host: string
  port: number
}

/**
 * Says whether no connection may be made to an address: it is inside the own network or leads there, and the operator
 * does not allow it. Metadata services are refused whatever the operator allows.
 */
export function isRefused(allow: HooksAllow, { address, host, port }: Target): boolean {
  const inner = findInnerAddresses(address)
  if ([address, ...inner].some((one) => includes(neverAllowed, one))) return true
  const isListed = (one: string) =>
    allow.networks.some((network) => (network.port ?? port) === port && includes(network.list, one))
  if (isListed(address) || isListedHost(allow, host, port)) return false
  const leadsTo = inner.length > 0 ? inner : [address]
  return leadsTo.some((one) => isSpecial(one) && !isListed(one))
}

export function isListedHost(allow: HooksAllow, host: string, port: number): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  return allow.hosts.some((one) => one.name === name && (one.port ?? port) === port)
}

function isSpecial(address: string): boolean {
  return includes(special, address) || (isIP(address) === 6 && !includes(globalUnicast, address))
}

function includes(list: BlockList, address: string): boolean {
  const [bare = ''] = address.split('%')
  return list.check(bare, isIP(bare) === 4 ? 'ipv4' : 'ipv6')
}
