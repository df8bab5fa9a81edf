/** IPv6 addresses that a gateway or the own system turns into IPv4: the address inside decides where they lead. */
import { requireAt } from '@fairlead/invariant'
import { toAddress4, toBytes } from './address-bytes.ts'

/** Returns the IPv4 addresses inside an IPv6 address; none for an address that leads nowhere else. */
export function findInnerAddresses(address: string): string[] {
  const bytes = toBytes(address)
  if (bytes.length === 4) return []
  const at = (...offsets: number[]) => toAddress4(Uint8Array.from(offsets.map((offset) => requireAt(bytes, offset))))
  const startsWith = (...wanted: number[]) => wanted.every((byte, offset) => bytes[offset] === byte)
  const last = () => at(12, 13, 14, 15)
  const zeros = (count: number) => startsWith(...Array.from({ length: count }, () => 0))
  // IPv4-mapped, ::ffff:0:0/96, and translated, ::ffff:0:0:0/96 (RFC 2765).
  if (zeros(10) && bytes[10] === 0xff && bytes[11] === 0xff) return [last()]
  if (zeros(8) && bytes[8] === 0xff && bytes[9] === 0xff && bytes[10] === 0 && bytes[11] === 0) return [last()]
  // IPv4-compatible, ::/96, of which loopback is no part.
  if (zeros(12)) return bytes[12] === 0 && bytes[13] === 0 && bytes[14] === 0 && bytes[15] === 1 ? [] : [last()]
  // NAT64 with its well-known prefix, 64:ff9b::/96.
  if (startsWith(0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0)) return [last()]
  // NAT64 with a local prefix in 64:ff9b:1::/48. RFC 6052 has a form for each length, which byte 8 divides; the short
  // ones end in zeros, so that the form of 96 bits is refused there as well.
  if (startsWith(0, 0x64, 0xff, 0x9b, 0, 1)) {
    const isShort = bytes[13] === 0 && bytes[14] === 0 && bytes[15] === 0
    return isShort ? [last(), at(6, 7, 9, 10), at(7, 9, 10, 11), at(9, 10, 11, 12)] : [last()]
  }
  // 6to4, 2002::/16.
  if (startsWith(0x20, 0x02)) return [at(2, 3, 4, 5)]
  // Teredo, 2001::/32: the server, and the client with all bits turned.
  if (startsWith(0x20, 0x01, 0, 0)) {
    return [at(4, 5, 6, 7), toAddress4(bytes.subarray(12).map((byte) => byte ^ 0xff))]
  }
  return []
}
