import { createHash, X509Certificate } from 'node:crypto'
import type { SigningCertificate } from './app-info.ts'
import { clipText } from './identifier.ts'

/** Describes a certificate. The hash is of its bytes as they are; those that OpenSSL cannot parse keep their hash alone. */
export function describeCertificate(scheme: SigningCertificate['scheme'], der: Buffer): SigningCertificate {
  const sha256 = createHash('sha256').update(der).digest('hex')
  try {
    const { subject, validToDate } = new X509Certificate(der)
    // OpenSSL has the most general part first and one part to a line.
    const parts = (subject ?? '').split('\n').reverse()
    return { scheme, sha256, subject: clipText(parts.join(', ')), notAfter: validToDate.toISOString() }
  } catch {
    return { scheme, sha256, subject: '', notAfter: null }
  }
}
