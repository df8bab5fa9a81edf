import { createHash, type KeyObject, sign } from 'node:crypto'
import {
  derExplicit,
  derInteger,
  derObjectIdentifier,
  derOctets,
  derSequence,
  derSet,
  writeDer,
} from '../der-writer.ts'
import { readCertificateNames } from './certificate-names.ts'

export interface MessageSigner {
  /** X.509 certificates in DER: that of the key, and those that lead to one that others know. */
  certificates: [Buffer, ...Buffer[]]
  /** RSA or ECDSA. */
  privateKey: KeyObject
}

const dataType = derObjectIdentifier('1.2.840.113549.1.7.1')
const sha256 = derSequence(derObjectIdentifier('2.16.840.1.101.3.4.2.1'))
const algorithms = {
  rsa: derSequence(derObjectIdentifier('1.2.840.113549.1.1.1'), writeDer(0x05)),
  ec: derSequence(derObjectIdentifier('1.2.840.10045.4.3.2')),
}

/**
 * Signs a content with SHA-256, as a CMS message in DER that holds the content (see signed-data.ts).
 *
 * @throws RangeError when the first certificate cannot be read
 */
export function signMessage(content: Buffer, { certificates, privateKey }: MessageSigner): Buffer {
  const digest = createHash('sha256').update(content).digest()
  // In the order that DER has for sets.
  const attributes = Buffer.concat([
    derSequence(derObjectIdentifier('1.2.840.113549.1.9.3'), derSet(dataType)),
    derSequence(derObjectIdentifier('1.2.840.113549.1.9.4'), derSet(derOctets(digest))),
  ])
  const signer = derSequence(
    derInteger(1),
    derSequence(readCertificateNames(certificates[0]).issuerAndSerial),
    sha256,
    derExplicit(0, attributes),
    privateKey.asymmetricKeyType === 'ec' ? algorithms.ec : algorithms.rsa,
    derOctets(sign('sha256', derSet(attributes), privateKey)),
  )
  const signed = derSequence(
    derInteger(1),
    derSet(sha256),
    derSequence(dataType, derExplicit(0, derOctets(content))),
    derExplicit(0, ...certificates),
    derSet(signer),
  )
  return derSequence(derObjectIdentifier('1.2.840.113549.1.7.2'), derExplicit(0, signed))
}
