/**
 * Signature scheme v1: META-INF/NAME.SF lists digests, and META-INF/NAME.RSA (or .DSA, .EC) signs it with a CMS
 * message:
 *   SignedData { version, digests, content, [0] certificates, [1] revocations, { version, { issuer, serial } } }
 *   certificate { { [0] version, serial, algorithm, issuer, … }, … }
 * The list of certificates may hold others besides the signer's, in any order. The signer names its own by issuer and
 * serial number. The digests are not verified, because Android uses v1 only if there is no later scheme.
 */
import { type DerElement, derTag, readDer, readDerChildren } from '../der.ts'
import type { ZipArchive } from '../zip/zip.ts'

const signatureFile = /^META-INF\/([^/]{1,255})\.(RSA|DSA|EC)$/i
const maxSignatureBytes = 1024 * 1024
const maxSigners = 10
const maxCertificates = 100

export interface JarSignatures {
  /** Certificates in DER, one per signer. */
  certificates: Buffer[]
  /**
   * Numbers of the other schemes that the signer declares (X-Android-APK-Signed). If one is missing, it was stripped.
   */
  promised: number[]
}

/**
 * Reads the certificates of all v1 signatures.
 *
 * @throws RangeError if a signature is truncated.
 */
export function readJarSignatures(apk: ZipArchive): JarSignatures {
  const certificates: Buffer[] = []
  const promised = new Set<number>()
  let files = 0
  for (const entry of apk.entries) {
    const [, name] = (entry.name.startsWith('META-INF/') && signatureFile.exec(entry.name)) || []
    const signed = name === undefined ? undefined : apk.findEntry(`META-INF/${name}.SF`)
    if (!signed || ++files > maxSigners) continue
    certificates.push(...findSignerCertificates(apk.readEntry(entry, maxSignatureBytes)))
    const header = apk.readEntryStart(signed, 1024).toString('latin1')
    const [, schemes = ''] = /^X-Android-APK-Signed: ([\d, ]{1,40})\r?$/m.exec(header) ?? []
    for (const scheme of schemes.matchAll(/\d+/g)) promised.add(Number(scheme[0]))
  }
  return { certificates, promised: [...promised] }
}

function findSignerCertificates(message: Buffer): Buffer[] {
  const [, wrapped] = readDerChildren(readDer(message))
  const [signedData] = wrapped ? readDerChildren(wrapped) : []
  const parts = signedData ? readDerChildren(signedData) : []
  const bag = parts.find(({ tag }) => tag === derTag.context0)
  const signers = parts.findLast(({ tag }) => tag === derTag.set)
  if (!bag || !signers) throw new RangeError('no certificates or no signers')
  const certificates = readDerChildren(bag)
    .filter(({ tag }) => tag === derTag.sequence)
    .slice(0, maxCertificates)
  return readDerChildren(signers)
    .slice(0, maxSigners)
    .flatMap((signer) => {
      const found = findCertificate(certificates, signer)
      return found ? [found.bytes] : []
    })
}

function findCertificate(certificates: DerElement[], signer: DerElement): DerElement | undefined {
  const [, identifier] = readDerChildren(signer)
  const [issuer, serial] = identifier ? readDerChildren(identifier) : []
  if (!issuer || !serial) return undefined
  const ofSerial = certificates.filter((certificate) => readIssued(certificate)?.serial === toSerial(serial))
  return ofSerial.find((certificate) => readIssued(certificate)?.issuer.equals(issuer.bytes)) ?? ofSerial[0]
}

function readIssued(certificate: DerElement): { serial: string; issuer: Buffer } | undefined {
  const [body] = readDerChildren(certificate)
  const parts = body ? readDerChildren(body).filter(({ tag }) => tag !== derTag.context0) : []
  const [serial, , issuer] = parts
  return serial && issuer ? { serial: toSerial(serial), issuer: issuer.bytes } : undefined
}

/** Serial number in hexadecimal without leading zeros, because some tools write them and others do not. */
function toSerial({ content }: DerElement): string {
  return content.toString('hex').replace(/^(00)+(?=.)/, '')
}
