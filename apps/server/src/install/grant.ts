/**
 * A grant is a signed permission in a path: `{expiry}.{tester}.{signature}`. The installer of a phone sends no cookies,
 * so the address itself has to authorize the download, for one build and a limited time.
 */
import { isSame, sign } from '../secrets/signature.ts'

export interface Grant {
  /** Epoch milliseconds. */
  expiresAt: number
  /** The tester of the personal link it came from; null for the general link. */
  testerId: number | null
}

/** @param secret the secret of the build that the grant is for */
export function createGrant(key: Buffer, secret: string, { expiresAt, testerId }: Grant): string {
  const content = `${Math.floor(expiresAt / 1000).toString(36)}.${(testerId ?? 0).toString(36)}`
  return `${content}.${sign(key, `grant:${secret}:${content}`)}`
}

/** Returns undefined when the signature is wrong, belongs to another build, or the grant has expired. */
export function readGrant(key: Buffer, secret: string, text: string, now = Date.now()): Grant | undefined {
  const [, expiry = '', tester = '', signature = ''] =
    /^([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([\w-]{22})$/.exec(text) ?? []
  if (!isSame(signature, sign(key, `grant:${secret}:${expiry}.${tester}`))) return undefined
  const expiresAt = Number.parseInt(expiry, 36) * 1000
  if (expiresAt <= now) return undefined
  const testerId = Number.parseInt(tester, 36)
  return { expiresAt, testerId: testerId === 0 ? null : testerId }
}
