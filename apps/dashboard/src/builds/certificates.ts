import type { Signing } from '@fairlead/contract'

export interface SignedBy {
  sha256: string
  subject: string
  notAfter: string | null
  /** The signature schemes that the certificate is used in, joined as text. */
  schemes: string
}

/** Lists each certificate once with all its signature schemes, because an APK repeats it for every scheme. */
export function listCertificates({ certificates, integrity }: Signing): SignedBy[] {
  const bySha256 = Map.groupBy(certificates, ({ sha256 }) => sha256)
  return [...bySha256.values()].flatMap((same) => {
    const [first] = same
    if (!first) return []
    const { sha256, subject, notAfter } = first
    // The reader verifies the digests of v2 and later, but not those of v1.
    const schemes = same.map(({ scheme }) =>
      integrity === 'verified' && scheme !== 'v1' ? `${scheme} (verified)` : scheme,
    )
    return [{ sha256, subject, notAfter, schemes: schemes.join(', ') }]
  })
}
