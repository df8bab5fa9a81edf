import { hash } from 'node:crypto'

/** What is stored of a secret. It is random and long, so a plain digest is enough and quick. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}
