import { createHmac, timingSafeEqual } from 'node:crypto'

/** 128 bits of HMAC-SHA-256: as hard to guess as the secret of the link itself. */
export function sign(key: Buffer, content: string): string {
  return createHmac('sha256', key).update(content).digest().subarray(0, 16).toString('base64url')
}

export function isSame(given: string, wanted: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(wanted)
  return a.length === b.length && timingSafeEqual(a, b)
}
