import { createHash, X509Certificate } from 'node:crypto'
import type { SigningCertificate } from './app-info.ts'
import { clipText } from './identifier.ts'

/** SHA-256 of a DER certificate, in lower-case hexadecimal. */
export function hashCertificate(der: Buffer): string {
  return createHash('sha256').update(der).digest('hex')
}

/** Describes a DER certificate. If OpenSSL cannot parse it, the subject is empty and `notAfter` is null. */
export function describeCertificate(scheme: SigningCertificate['scheme'], der: Buffer): SigningCertificate {
  const sha256 = hashCertificate(der)
  try {
    const { subject, validToDate } = new X509Certificate(der)
    // OpenSSL puts the most general part first and one part on each line.
    const parts = (subject ?? '').split('\n').reverse()
    return { scheme, sha256, subject: clipText(parts.join(', ')), notAfter: validToDate.toISOString() }
  } catch {
    return { scheme, sha256, subject: '', notAfter: null }
  }
}
