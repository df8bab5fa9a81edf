import { isIPv6 } from 'node:net'

/** What attempts are counted by: an IPv4 address, or the first 64 bits of an IPv6 one, all of which one person has. */
export function toNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail] = address.split('::')
  const groups = head.split(':')
  // `::` stands for as many zeros as are missing to eight groups, and zeros within the first four count.
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length
  const full = [...groups, ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...(tail?.split(':') ?? [])]
  return full
    .slice(0, 4)
    .map((group) => Number.parseInt(group || '0', 16).toString(16))
    .join(':')
}
