import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { MessageSigner } from '@fairlead/binary'

const certificatePattern = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g
const maxCertificates = 10

/**
 * Reads the certificate that signs profiles for devices, with those that lead to one that devices know, and its key.
 * Returns null where neither is set, and a fault as a text.
 */
export function readProfileSigner(
  certificateFile: string | undefined,
  keyFile: string | undefined,
): MessageSigner | string | null {
  if (certificateFile === undefined && keyFile === undefined) return null
  if (certificateFile === undefined) return 'FAIRLEAD_PROFILE_CERT_FILE is missing: FAIRLEAD_PROFILE_KEY_FILE needs it'
  if (keyFile === undefined) return 'FAIRLEAD_PROFILE_KEY_FILE is missing: FAIRLEAD_PROFILE_CERT_FILE needs it'
  const certificates = readCertificates(certificateFile)
  if (typeof certificates === 'string') return certificates
  return readSigner(certificates, keyFile)
}

function readCertificates(file: string): [Buffer, ...Buffer[]] | string {
  try {
    const blocks = readFileSync(file, 'latin1').match(certificatePattern) ?? []
    if (blocks.length > maxCertificates)
      return `FAIRLEAD_PROFILE_CERT_FILE has more than ${maxCertificates} certificates`
    const [own, ...rest] = blocks.map((block) => new X509Certificate(block).raw)
    return own ? [own, ...rest] : `FAIRLEAD_PROFILE_CERT_FILE holds no certificate in PEM: ${file}`
  } catch {
    return `FAIRLEAD_PROFILE_CERT_FILE cannot be read: ${file} must hold certificates in PEM`
  }
}

function readSigner(certificates: [Buffer, ...Buffer[]], file: string): MessageSigner | string {
  try {
    const privateKey = createPrivateKey(readFileSync(file))
    if (privateKey.asymmetricKeyType !== 'rsa' && privateKey.asymmetricKeyType !== 'ec') {
      return 'FAIRLEAD_PROFILE_KEY_FILE must hold a key of RSA or ECDSA'
    }
    if (new X509Certificate(certificates[0]).checkPrivateKey(privateKey)) return { certificates, privateKey }
    return 'FAIRLEAD_PROFILE_KEY_FILE is not the key of the first certificate in FAIRLEAD_PROFILE_CERT_FILE'
  } catch {
    return `FAIRLEAD_PROFILE_KEY_FILE cannot be read: ${file} must hold a private key in PEM without a password`
  }
}
