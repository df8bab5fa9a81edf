import { hash, randomBytes } from 'node:crypto'

/** Creates a token: the prefix lets secret scanners recognize it, and 256 random bits make it unguessable. */
export function createTokenSecret(): string {
  return `fl_${randomBytes(32).toString('base64url')}`
}

/**
 * Returns the digest under which a secret is stored. Secrets are long and random, so a fast unsalted hash is enough.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}
