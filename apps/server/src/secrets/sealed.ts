import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Text that only this installation can read or make: AES-256-GCM under a key for one purpose, which is derived from the
 * signing key. A sealed text is base64url of a nonce of 12 bytes, the tag of 16 bytes and the ciphertext.
 */
const cipher = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16

export function seal(signingKey: Buffer, purpose: string, text: string): string {
  const nonce = randomBytes(nonceLength)
  const sealing = createCipheriv(cipher, deriveKey(signingKey, purpose), nonce)
  const content = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()])
  return Buffer.concat([nonce, sealing.getAuthTag(), content]).toString('base64url')
}

/** Returns the text, or undefined when it was not sealed by this installation for this purpose. */
export function unseal(signingKey: Buffer, purpose: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < nonceLength + tagLength) return undefined
  const opening = createDecipheriv(cipher, deriveKey(signingKey, purpose), bytes.subarray(0, nonceLength))
  opening.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
  try {
    return Buffer.concat([opening.update(bytes.subarray(nonceLength + tagLength)), opening.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

function deriveKey(signingKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', signingKey, '', `sealed ${purpose}`, 32))
}
