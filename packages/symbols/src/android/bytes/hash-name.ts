import { outOfRange } from '@fairlead/invariant'

/** The initial value of the 32-bit FNV-1a hash, and the hash of an empty name. */
export const emptyHash = 0x811c9dc5 | 0

/** Adds one byte to a hash. The result is a signed integer; `>>> 0` turns it into the unsigned one that is stored. */
export function hashByte(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193)
}

export function hashName(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let hash = emptyHash
  for (let at = start; at < end; at++) hash = hashByte(hash, bytes[at] ?? outOfRange())
  return hash >>> 0
}

/** The hash of `text` in UTF-8. */
export function hashText(text: string): number {
  let hash = emptyHash
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x80) return hashName(Buffer.from(text))
    hash = hashByte(hash, code)
  }
  return hash >>> 0
}
