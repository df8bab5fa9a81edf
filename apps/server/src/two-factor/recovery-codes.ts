import { randomInt } from 'node:crypto'
import { hashSecret } from '../secrets/hash-secret.ts'

const codeCount = 10
/** 16 of these 32 characters are 80 bits, so a fast hash is enough. Letters that look like digits are left out. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

export function createRecoveryCodes(): string[] {
  return Array.from({ length: codeCount }, () =>
    Array.from({ length: 4 }, () => Array.from({ length: 4 }, () => alphabet[randomInt(32)]).join('')).join('-'),
  )
}

/** Returns the digest of a recovery code, however it was typed. */
export function hashRecoveryCode(code: string): string {
  return hashSecret(code.toLowerCase().replace(/[^0-9a-z]/g, ''))
}
