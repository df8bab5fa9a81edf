import { hash } from 'node:crypto'

/** A key that encrypts secrets in the database. */
export interface SecretsKey {
  /** Stands beside what the key has encrypted; it tells keys apart and tells nothing of the key. */
  id: string
  key: Buffer
}

/** The key in use, and those before it. */
const maxKeys = 4
const keyBytes = 32

/** Reads keys in base64, separated by commas. The first encrypts, all of them decrypt. Returns a fault as a text. */
export function parseSecretsKeys(text: string): SecretsKey[] | string {
  const parts = text.split(',').map((part) => part.trim())
  if (parts.length > maxKeys) return `must be at most ${maxKeys} keys`
  const keys = parts.map((part) => Buffer.from(part, 'base64'))
  // Buffer skips what is no base64, so a mistyped key is found by encoding it again.
  const isWhole = keys.every((key, place) => key.length === keyBytes && key.toString('base64') === parts[place])
  if (!isWhole) return 'must be 32 bytes in base64, as `openssl rand -base64 32` prints them'
  return keys.map((key) => ({ id: toKeyId(key), key }))
}

function toKeyId(key: Buffer): string {
  return hash('sha256', Buffer.concat([Buffer.from('fairlead secrets key\n'), key]), 'hex').slice(0, 8)
}
