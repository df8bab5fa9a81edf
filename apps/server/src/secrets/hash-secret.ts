import { hash, randomBytes } from 'node:crypto'

/** A new token: the prefix lets secret scanners find it, 256 random bits let nobody guess it. */
export function createTokenSecret(): string {
  return `fl_${randomBytes(32).toString('base64url')}`
}

/** What is stored of a secret. It is random and long, so a plain digest is enough and quick. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}
