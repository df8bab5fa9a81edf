import { constants, createHash, type KeyObject, timingSafeEqual, verify, X509Certificate } from 'node:crypto'
import { BinaryError } from '../binary-error.ts'
import { type DerElement, derTag, readDerChildren, readOctets } from '../der.ts'
import { writeDer } from '../der-writer.ts'
import { withinBounds } from '../within-bounds.ts'
import { readCertificateNames } from './certificate-names.ts'
import { cmsObject, readSignedData, type SignedData, type SignerInfo } from './signed-data.ts'

/** By object identifiers in hexadecimal, what Node calls the digests. */
const digests: Record<string, string> = {
  '2b0e03021a': 'sha1',
  '608648016503040204': 'sha224',
  '608648016503040201': 'sha256',
  '608648016503040202': 'sha384',
  '608648016503040203': 'sha512',
}

type Scheme = 'rsa' | 'rsa-pss' | 'ec'

/** By object identifiers: the kind of key, and the digest if the algorithm names it. */
const signatures: Record<string, { scheme: Scheme; digest?: string }> = {
  '2a864886f70d010101': { scheme: 'rsa' },
  '2a864886f70d010105': { scheme: 'rsa', digest: 'sha1' },
  '2a864886f70d01010e': { scheme: 'rsa', digest: 'sha224' },
  '2a864886f70d01010b': { scheme: 'rsa', digest: 'sha256' },
  '2a864886f70d01010c': { scheme: 'rsa', digest: 'sha384' },
  '2a864886f70d01010d': { scheme: 'rsa', digest: 'sha512' },
  '2a864886f70d01010a': { scheme: 'rsa-pss' },
  '2a8648ce3d0201': { scheme: 'ec' },
  '2a8648ce3d0401': { scheme: 'ec', digest: 'sha1' },
  '2a8648ce3d040301': { scheme: 'ec', digest: 'sha224' },
  '2a8648ce3d040302': { scheme: 'ec', digest: 'sha256' },
  '2a8648ce3d040303': { scheme: 'ec', digest: 'sha384' },
  '2a8648ce3d040304': { scheme: 'ec', digest: 'sha512' },
}

export interface VerifiedMessage {
  content: Buffer
  /** The certificate of the first signer, in DER. Whose it is was not checked. */
  certificate: Buffer
  /** All certificates of the message. */
  certificates: Buffer[]
}

/**
 * Returns the content of a signed message, in DER or BER, whose signatures all fit the certificates inside of it. So
 * nothing was changed since it was signed; by whom it was signed is another question.
 *
 * @throws {BinaryError} `malformed-message`, `wrong-signature`
 */
export function verifyMessage(bytes: Buffer): VerifiedMessage {
  return withinBounds('malformed-message', () => {
    const message = readSignedData(bytes)
    const [first] = message.signers.map((signer) => verifySigner(message, signer))
    if (!first) throw new BinaryError('wrong-signature', 'Nobody has signed it.')
    return { content: message.content, certificate: first, certificates: message.certificates }
  })
}

/** Returns the certificate that the signature fits. */
function verifySigner(message: SignedData, signer: SignerInfo): Buffer {
  const certificate = message.certificates.find((one) => isOf(one, signer))
  const digest = digests[signer.digest]
  const algorithm = signatures[signer.signatureAlgorithm]
  if (!certificate) throw new BinaryError('wrong-signature', 'The certificate of the signer is not there.')
  if (digest === undefined || !algorithm) throw new BinaryError('wrong-signature', 'Its algorithm is not supported.')
  const signed = signer.signedAttributes
    ? readSignedAttributes(message, signer.signedAttributes, digest)
    : message.content
  const key = readKey(certificate)
  if (key.asymmetricKeyType !== algorithm.scheme && !(key.asymmetricKeyType === 'rsa' && algorithm.scheme !== 'ec')) {
    throw new BinaryError('wrong-signature', 'Its algorithm is not that of the key.')
  }
  if (!isSignature(algorithm.scheme, algorithm.digest ?? digest, signed, key, signer.signature)) {
    throw new BinaryError('wrong-signature')
  }
  return certificate
}

function isOf(certificate: Buffer, { signer }: SignerInfo): boolean {
  const names = readCertificateNames(certificate)
  if ('keyIdentifier' in signer) return names.keyIdentifier?.equals(signer.keyIdentifier) === true
  const [issuer, serial] = readDerChildren(signer.issuerAndSerial)
  return issuer?.bytes.equals(names.issuer) === true && serial?.content.equals(names.serial) === true
}

function readKey(certificate: Buffer): KeyObject {
  try {
    return new X509Certificate(certificate).publicKey
  } catch (cause) {
    throw new BinaryError('malformed-message', 'A certificate cannot be read.', { cause })
  }
}

/**
 * Compares the digest among the attributes with the content. Returns what is signed: the attributes as a set in DER,
 * although they are tagged as [0] in the message.
 */
function readSignedAttributes(message: SignedData, attributes: DerElement, digest: string): Buffer {
  const values = new Map<string, DerElement>()
  for (const attribute of readDerChildren(attributes)) {
    const [type, set] = readDerChildren(attribute)
    const [value] = set?.tag === derTag.set ? readDerChildren(set) : []
    const name = type?.content.toString('hex')
    if (name === undefined || !value || values.has(name)) throw new RangeError('no attribute')
    values.set(name, value)
  }
  const type = values.get(cmsObject.contentType)
  const stated = values.get(cmsObject.messageDigest)
  const actual = createHash(digest).update(message.content).digest()
  const isSame = stated !== undefined && isEqual(readOctets(stated), actual)
  if (!isSame || type?.content.toString('hex') !== message.contentType) {
    throw new BinaryError('wrong-signature', 'The content was changed.')
  }
  return writeDer(derTag.set, attributes.content)
}

function isEqual(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

function isSignature(scheme: Scheme, digest: string, signed: Buffer, key: KeyObject, signature: Buffer): boolean {
  const padding = constants.RSA_PKCS1_PSS_PADDING
  const saltLength = constants.RSA_PSS_SALTLEN_AUTO
  try {
    return verify(digest, signed, scheme === 'rsa-pss' ? { key, padding, saltLength } : key, signature)
  } catch {
    // A signature that is no number of the key's size is one that does not fit.
    return false
  }
}
