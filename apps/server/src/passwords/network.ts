import { isIPv6 } from 'node:net'

/**
 * Returns the key that attempts are counted by: a full IPv4 address, or the /64 prefix of an IPv6 address, because one
 * subscriber usually controls a whole /64.
 */
export function toNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail] = address.split('::')
  const groups = head.split(':')
  // `::` stands for as many zero groups as are missing from eight; those within the first four matter for the prefix.
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length
  const full = [...groups, ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...(tail?.split(':') ?? [])]
  return full
    .slice(0, 4)
    .map((group) => Number.parseInt(group || '0', 16).toString(16))
    .join(':')
}
