/**
 * A challenge is the last part of the address that a device sends its answer to: `{tester}.{end}.{random}.{signature}`.
 * It is signed and not stored, so that looking at a page writes nothing; the first answer to it is stored, so that it
 * takes one device only.
 */
import { randomBytes } from 'node:crypto'
import { isSame, sign } from '../secrets/signature.ts'

/** How long a device may take to answer, in milliseconds. */
export const challengeLifetime = 60 * 60 * 1000

export interface ChallengedTester {
  id: number
  /** Renewing the tester's links ends the challenges that were given out. */
  link_salt: string | null
}

export interface Challenge {
  testerId: number
  /** Epoch milliseconds. */
  expiresAt: number
}

const pattern = /^([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([\w-]{22})\.([\w-]{22})$/

export function createChallenge(key: Buffer, tester: ChallengedTester, now = Date.now()): string {
  const end = Math.floor((now + challengeLifetime) / 1000)
  const content = `${tester.id.toString(36)}.${end.toString(36)}.${randomBytes(16).toString('base64url')}`
  return `${content}.${signContent(key, tester, content)}`
}

/** Returns what a challenge says, before its signature is checked. */
export function parseChallenge(text: string): Challenge | undefined {
  const [, tester = '', end = ''] = pattern.exec(text) ?? []
  const testerId = Number.parseInt(tester, 36)
  const expiresAt = Number.parseInt(end, 36) * 1000
  return Number.isSafeInteger(testerId) && Number.isSafeInteger(expiresAt) ? { testerId, expiresAt } : undefined
}

export function isChallengeOf(key: Buffer, tester: ChallengedTester, text: string): boolean {
  const at = text.lastIndexOf('.')
  return isSame(text.slice(at + 1), signContent(key, tester, text.slice(0, at)))
}

function signContent(key: Buffer, { link_salt: salt }: ChallengedTester, content: string): string {
  return sign(key, `device:${content}:${salt ?? ''}`)
}
