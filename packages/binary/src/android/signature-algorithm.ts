import { constants, createPublicKey, verify } from 'node:crypto'

/** Says which hash the content digest uses and how a signature over the signer's data is checked. */
export interface SignatureAlgorithm {
  hash: 'sha256' | 'sha512'
  /** Salt length of RSA-PSS in bytes; undefined for other algorithms. */
  saltLength?: number
}

/**
 * Algorithms by their id in the signing block. The fs-verity algorithms (0x0421, 0x0423, 0x0425) are left out, because
 * in practice they come in addition to one of these.
 */
export const signatureAlgorithms = new Map<number, SignatureAlgorithm>([
  [0x0101, { hash: 'sha256', saltLength: 32 }],
  [0x0102, { hash: 'sha512', saltLength: 64 }],
  [0x0103, { hash: 'sha256' }],
  [0x0104, { hash: 'sha512' }],
  [0x0201, { hash: 'sha256' }],
  [0x0202, { hash: 'sha512' }],
  [0x0301, { hash: 'sha256' }],
])

/** Returns false also if the key or the signature cannot be parsed. */
export function isSignatureValid(
  { hash, saltLength }: SignatureAlgorithm,
  data: Buffer,
  publicKey: Buffer,
  signature: Buffer,
): boolean {
  try {
    const key = createPublicKey({ key: publicKey, format: 'der', type: 'spki' })
    const pss = saltLength === undefined ? {} : { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }
    return verify(hash, data, { key, ...pss }, signature)
  } catch {
    return false
  }
}
