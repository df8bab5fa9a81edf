import { hash } from 'node:crypto'

/**
 * Returns the digest under which a secret is stored. Secrets are long and random, so a fast unsalted hash is enough.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}
