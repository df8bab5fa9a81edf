/**
 * Signature scheme v1: META-INF/NAME.SF lists digests, META-INF/NAME.RSA (or .DSA, .EC) signs it by a CMS message:
 *   SignedData { version, digests, content, [0] certificates, [1] revocations, signers { version, { issuer, serial }, … } }
 *   certificate { { [0] version, serial, algorithm, issuer, … }, … }
 * The bag of certificates may hold others than the signer's, in any order: the signer names its own by issuer and serial.
 * The digests are not verified: Android looks at v1 only where there is nothing better.
 */
import { type DerElement, derTag, readDer, readDerChildren } from '../der.ts'
import type { ZipArchive } from '../zip/zip.ts'

const signatureFile = /^META-INF\/([^/]{1,255})\.(RSA|DSA|EC)$/i
const maxSignatureBytes = 1024 * 1024
const maxSigners = 10
const maxCertificates = 100

export interface JarSignatures {
  /** In DER, one per signer. */
  certificates: Buffer[]
  /** Schemes that the signer says are there as well; a missing one has been stripped. */
  promised: number[]
}

/** A RangeError says that a signature breaks off. */
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

/** Without leading zeros, which not every tool leaves out. */
function toSerial({ content }: DerElement): string {
  return content.toString('hex').replace(/^(00)+(?=.)/, '')
}
