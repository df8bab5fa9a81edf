import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'

/**
 * The public key of "Apple iPhone Device CA", which Apple's "Over-the-Air Profile Delivery and Configuration" names as
 * the one that device certificates are to be checked against. Its certificate ended in 2014, and devices still have
 * certificates from it; others have one from an authority that Apple does not document.
 */
const deviceAuthority = createPublicKey({
  key: Buffer.from(
    'MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDxlErJ6rpaGGCty6JNTU5UGWkXWQdmy5foZppHX0auZ3q1SnNUscsE9r02uAxVOIqEgzFS' +
      'Zfkz4Zd3nCtMJrAlP+kyqnsIdJTswUs4HWdOCFKUWotZo1zXk/Sg/lWFu0xGl15usndFL2dcvAsYv1m5bIb3KnV20hlx9CljuSULrwIDAQAB',
    'base64',
  ),
  format: 'der',
  type: 'spki',
})

/** Tells whether Apple has signed the certificate of a device, whatever its names say. */
export function isFromApple(certificate: Buffer, authority: KeyObject = deviceAuthority): boolean {
  try {
    return new X509Certificate(certificate).verify(authority)
  } catch {
    return false
  }
}
