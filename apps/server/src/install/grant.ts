/**
 * Signed permissions in a path: `{expiry}.{tester}.{signature}`. The installer of a phone sends no cookies, so what it
 * may fetch stands in the address itself, bound to one build, for a while.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface Grant {
  /** Epoch milliseconds. */
  expiresAt: number
  /** From whose personal link it came; null when it was anybody's. */
  testerId: number | null
}

/** @param secret the secret of the build the grant is for */
export function createGrant(key: Buffer, secret: string, { expiresAt, testerId }: Grant): string {
  const content = `${Math.floor(expiresAt / 1000).toString(36)}.${(testerId ?? 0).toString(36)}`
  return `${content}.${sign(key, `grant:${secret}:${content}`)}`
}

/** Undefined when it was not made here, is for another build, or has expired. */
export function readGrant(key: Buffer, secret: string, text: string, now = Date.now()): Grant | undefined {
  const [, expiry = '', tester = '', signature = ''] =
    /^([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([\w-]{22})$/.exec(text) ?? []
  if (!isSame(signature, sign(key, `grant:${secret}:${expiry}.${tester}`))) return undefined
  const expiresAt = Number.parseInt(expiry, 36) * 1000
  if (expiresAt <= now) return undefined
  const testerId = Number.parseInt(tester, 36)
  return { expiresAt, testerId: testerId === 0 ? null : testerId }
}

/** 128 bits of HMAC-SHA-256: as hard to guess as the secret of the link itself. */
export function sign(key: Buffer, content: string): string {
  return createHmac('sha256', key).update(content).digest().subarray(0, 16).toString('base64url')
}

export function isSame(given: string, wanted: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(wanted)
  return a.length === b.length && timingSafeEqual(a, b)
}
