/**
 * The Cryptographic Message Syntax (RFC 5652) as far as signed messages need it, in DER or BER:
 *
 *     ContentInfo { 1.2.840.113549.1.7.2, [0] SignedData }
 *     SignedData { version, digests, { type, [0] content }, [0] certificates?, [1] lists of revocation?, signers }
 *     SignerInfo { version, signer, digest, [0] signed attributes?, signature algorithm, signature, [1] attributes? }
 *
 * A signer is named by issuer and serial number of a certificate, or by its subject key identifier as [0].
 */
import { derTag, type DerElement, readDer, readDerChildren, readOctets } from '../der.ts'

/** The content octets of the object identifiers that messages have. */
export const cmsObject = {
  data: '2a864886f70d010701',
  signedData: '2a864886f70d010702',
  contentType: '2a864886f70d010903',
  messageDigest: '2a864886f70d010904',
} as const

const maxCertificates = 20
const maxSigners = 5

export interface SignerInfo {
  /** Issuer and serial number as one element, or the subject key identifier. */
  signer: { issuerAndSerial: DerElement } | { keyIdentifier: Buffer }
  /** The content octets of the algorithms' object identifiers in hexadecimal. */
  digest: string
  signatureAlgorithm: string
  /** The attributes inside of the set; undefined for a signature over the content itself. */
  signedAttributes: DerElement | undefined
  signature: Buffer
}

export interface SignedData {
  /** The object identifier of the content's type in hexadecimal. */
  contentType: string
  content: Buffer
  /** X.509 certificates in DER, in any order. */
  certificates: Buffer[]
  signers: SignerInfo[]
}

/**
 * Reads a signed message. Nothing of it is verified.
 *
 * @throws RangeError
 */
export function readSignedData(bytes: Buffer): SignedData {
  const message = readDer(bytes)
  if (message.bytes.length !== bytes.length) throw new RangeError('something follows the message')
  const [type, wrapped] = children(message, derTag.sequence)
  const [signed] = wrapped ? children(wrapped, derTag.context0) : []
  if (type?.content.toString('hex') !== cmsObject.signedData || !signed) throw new RangeError('no signed data')
  const [, , encapsulated, ...rest] = children(signed, derTag.sequence)
  const [contentType, wrappedContent] = encapsulated ? children(encapsulated, derTag.sequence) : []
  const [content] = wrappedContent ? children(wrappedContent, derTag.context0) : []
  if (!contentType || !content) throw new RangeError('no content')
  const certificates = rest.find(({ tag }) => tag === derTag.context0)
  const signers = rest.find(({ tag }) => tag === derTag.set)
  return {
    contentType: contentType.content.toString('hex'),
    content: readOctets(content),
    certificates: certificates ? readCertificates(certificates) : [],
    signers: signers ? limit(readDerChildren(signers), maxSigners).map(readSigner) : [],
  }
}

/** Besides certificates there may be ones of obsolete forms, which have other tags. */
function readCertificates(element: DerElement): Buffer[] {
  return limit(readDerChildren(element), maxCertificates)
    .filter(({ tag }) => tag === derTag.sequence)
    .map(({ bytes }) => bytes)
}

function readSigner(element: DerElement): SignerInfo {
  const [, signer, digest, ...rest] = children(element, derTag.sequence)
  const signedAttributes = rest[0]?.tag === derTag.context0 ? rest.shift() : undefined
  const [algorithm, signature] = rest
  if (!signer || !digest || !algorithm || !signature) throw new RangeError('no signature')
  return {
    signer: signer.tag === derTag.sequence ? { issuerAndSerial: signer } : { keyIdentifier: readKeyIdentifier(signer) },
    digest: readAlgorithm(digest),
    signatureAlgorithm: readAlgorithm(algorithm),
    signedAttributes,
    signature: readOctets(signature),
  }
}

function readKeyIdentifier(element: DerElement): Buffer {
  if (element.tag === derTag.implicit0) return element.content
  if (element.tag !== derTag.context0) throw new RangeError('no name of a signer')
  return Buffer.concat(readDerChildren(element).map((piece) => readOctets(piece)))
}

function readAlgorithm(element: DerElement): string {
  const [identifier] = children(element, derTag.sequence)
  if (identifier?.tag !== derTag.objectIdentifier) throw new RangeError('no algorithm')
  return identifier.content.toString('hex')
}

function children(element: DerElement, tag: number): DerElement[] {
  if (element.tag !== tag) throw new RangeError('another element is expected')
  return readDerChildren(element)
}

function limit<Item>(items: Item[], most: number): Item[] {
  if (items.length > most) throw new RangeError('too many parts')
  return items
}
