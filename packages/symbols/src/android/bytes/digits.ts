import { outOfRange } from '@fairlead/invariant'

const colon = 0x3a

/** Returns the offset after one to nine ASCII digits; -1 if there are none, or more than nine. */
export function skipDigits(bytes: Uint8Array, start: number): number {
  let at = start
  while (isDigit(bytes[at])) at++
  return at > start && at - start < 10 ? at : -1
}

export function readDigits(bytes: Uint8Array, start: number, end: number): number {
  let value = 0
  for (let at = start; at < end; at++) value = value * 10 + (bytes[at] ?? outOfRange()) - 0x30
  return value
}

export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}

/** Returns the offset after one to nine ASCII digits and a colon; -1 if they are not there. */
export function skipNumber(bytes: Uint8Array, start: number): number {
  const end = skipDigits(bytes, start)
  return end !== -1 && bytes[end] === colon ? end + 1 : -1
}
