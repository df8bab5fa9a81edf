/**
 * The parts of an X.509 certificate by which messages name it:
 *
 *     Certificate { { [0] version?, serial, algorithm, issuer, validity, subject, key, …, [3] extensions? }, … }
 */
import { derTag, type DerElement, readDer, readDerChildren, readOctets } from '../der.ts'

/** The content octets of 2.5.29.14, the extension subjectKeyIdentifier, in hexadecimal. */
const keyIdentifierExtension = '551d0e'

export interface CertificateNames {
  issuer: Buffer
  /** The content octets of the serial number. */
  serial: Buffer
  /** The elements of issuer and serial number, one after the other. */
  issuerAndSerial: Buffer
  keyIdentifier: Buffer | undefined
}

/** @throws RangeError */
export function readCertificateNames(certificate: Buffer): CertificateNames {
  const [body] = readDerChildren(readDer(certificate))
  const fields = body ? readDerChildren(body) : []
  if (fields[0]?.tag === derTag.context0) fields.shift()
  const [serial, , issuer] = fields
  if (serial?.tag !== derTag.integer || issuer?.tag !== derTag.sequence) throw new RangeError('no certificate')
  return {
    issuer: issuer.bytes,
    serial: serial.content,
    issuerAndSerial: Buffer.concat([issuer.bytes, serial.bytes]),
    keyIdentifier: findKeyIdentifier(fields.find(({ tag }) => tag === derTag.context3)),
  }
}

function findKeyIdentifier(wrapped: DerElement | undefined): Buffer | undefined {
  const [extensions] = wrapped ? readDerChildren(wrapped) : []
  for (const extension of extensions ? readDerChildren(extensions) : []) {
    const parts = readDerChildren(extension)
    const value = parts.at(-1)
    if (parts[0]?.content.toString('hex') !== keyIdentifierExtension || !value) continue
    return readOctets(readDer(readOctets(value)))
  }
  return undefined
}
