import type { Signing } from '@fairlead/contract'

export interface SignedBy {
  sha256: string
  subject: string
  notAfter: string | null
  /** The schemes it signs under, as text. */
  schemes: string
}

/** Each certificate once, with all schemes it signs under: an APK names it again for every one. */
export function listCertificates({ certificates, integrity }: Signing): SignedBy[] {
  const bySha256 = Map.groupBy(certificates, ({ sha256 }) => sha256)
  return [...bySha256.values()].flatMap((same) => {
    const [first] = same
    if (!first) return []
    const { sha256, subject, notAfter } = first
    // The digests of v1 are not compared; those of the later schemes are.
    const schemes = same.map(({ scheme }) =>
      integrity === 'verified' && scheme !== 'v1' ? `${scheme} (verified)` : scheme,
    )
    return [{ sha256, subject, notAfter, schemes: schemes.join(', ') }]
  })
}
