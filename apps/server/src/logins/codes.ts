import { randomBytes, randomInt } from 'node:crypto'
import type { AppContext } from '../context.ts'
import { sign } from '../secrets/signature.ts'

/** Letters that are not mistaken for one another and spell no words, as RFC 8628 proposes: 20^8 codes. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const half = 4

/** Creates the code that a person types: two halves, such as `WDJB-MJHT`. */
export function createUserCode(): string {
  const codes = Array.from({ length: 2 * half }, () => letters.charAt(randomInt(letters.length))).join('')
  return `${codes.slice(0, half)}-${codes.slice(half)}`
}

export function createDeviceCode(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * Returns the digest under which a code that people type is stored. The code is short, so whoever reads the database
 * could try all of them against a digest without a key.
 */
export function hashUserCode({ signingKey }: Pick<AppContext, 'signingKey'>, typed: string): string {
  return sign(signingKey, `login:${typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')}`)
}
