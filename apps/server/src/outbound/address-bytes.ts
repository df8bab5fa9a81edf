import { isIP } from 'node:net'
import { invariant } from '@fairlead/invariant'

/** Returns the 4 or 16 bytes of an address that `isIP` accepts. A zone (`%eth0`) is left out. */
export function toBytes(address: string): Uint8Array {
  const [bare = ''] = address.split('%')
  const family = isIP(bare)
  invariant(family !== 0, `${address} is an address`)
  return family === 4 ? Uint8Array.from(bare.split('.').map(Number)) : toBytesOf6(bare)
}

function toBytesOf6(address: string): Uint8Array {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address)
  const [a = 0, b = 0, c = 0, d = 0] = dotted ? toBytes(dotted[2] ?? '') : []
  const text = dotted ? `${dotted[1]}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}` : address
  const [head = '', tail] = text.split('::')
  const left = toGroups(head)
  const right = toGroups(tail ?? '')
  const groups = [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right]
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]))
}

function toGroups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
}

export function toAddress4(bytes: Uint8Array): string {
  return bytes.join('.')
}
