import { createHash, X509Certificate } from 'node:crypto'
import type { SigningCertificate } from './app-info.ts'
import { clipText } from './identifier.ts'

/** SHA-256 of the bytes as they are, in hexadecimal. */
export function hashCertificate(der: Buffer): string {
  return createHash('sha256').update(der).digest('hex')
}

/** Describes a certificate. The hash is of its bytes as they are; those that OpenSSL cannot parse keep their hash alone. */
export function describeCertificate(scheme: SigningCertificate['scheme'], der: Buffer): SigningCertificate {
  const sha256 = hashCertificate(der)
  try {
    const { subject, validToDate } = new X509Certificate(der)
    // OpenSSL has the most general part first and one part to a line.
    const parts = (subject ?? '').split('\n').reverse()
    return { scheme, sha256, subject: clipText(parts.join(', ')), notAfter: validToDate.toISOString() }
  } catch {
    return { scheme, sha256, subject: '', notAfter: null }
  }
}
