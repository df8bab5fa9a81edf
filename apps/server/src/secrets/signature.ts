import { createHmac, timingSafeEqual } from 'node:crypto'

/** Returns an HMAC-SHA-256 truncated to 128 bits, which matches the strength of the install link's secret. */
export function sign(key: Buffer, content: string): string {
  return createHmac('sha256', key).update(content).digest().subarray(0, 16).toString('base64url')
}

export function isSame(given: string, wanted: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(wanted)
  return a.length === b.length && timingSafeEqual(a, b)
}
