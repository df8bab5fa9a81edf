/**
 * The value of one scheme in the signing block is a list of signers.
 *   v2 signer    signed data · signatures · public key
 *   v3 signer    signed data · first and last API level (u32) · signatures · public key
 *   signed data  digests: list of (algorithm u32, digest) · certificates: list of X.509 · (v3: API levels)
 *                attributes: list of (id u32, value)
 *   signatures   list of (algorithm u32, signature)
 */
import { LengthPrefixed } from './length-prefixed.ts'
import type { BlockScheme } from './signing-block.ts'

export interface Signer {
  signedData: Buffer
  /** Content digests by algorithm id. */
  digests: Map<number, Buffer>
  signatures: Map<number, Buffer>
  /** Certificates in DER; the first is the signer's own. */
  certificates: Buffer[]
  attributes: Map<number, Buffer>
  publicKey: Buffer
}

/** Android reads no more signers than this. */
const maxSigners = 10
const maxLineage = 20

/**
 * Parses the value of a scheme.
 *
 * @throws RangeError if the value is truncated.
 */
export function parseSigners(value: Buffer, scheme: BlockScheme): Signer[] {
  return new LengthPrefixed(value).list(maxSigners).map((signer) => parseSigner(signer, scheme !== 'v2'))
}

function parseSigner(signer: LengthPrefixed, hasSdks: boolean): Signer {
  const signedData = signer.field()
  if (hasSdks) skipSdks(signer)
  const signatures = new Map(signer.list().map((item) => [item.uint32(), item.field()]))
  const publicKey = signer.field()
  const data = new LengthPrefixed(signedData)
  const digests = new Map(data.list().map((item) => [item.uint32(), item.field()]))
  const certificates = data.list().map((item) => item.rest())
  if (hasSdks) skipSdks(data)
  const attributes = new Map(data.isAtEnd ? [] : data.list().map((item) => [item.uint32(), item.rest()]))
  return { signedData, digests, signatures, certificates, attributes, publicKey }
}

function skipSdks(reader: LengthPrefixed): void {
  reader.uint32()
  reader.uint32()
}

const rotationAttribute = 0x3ba06f8c

/**
 * Lists the certificates of a rotated key, oldest first, from a v3 signer's proof of rotation:
 *   version (u32) · then nodes: signed part (certificate, algorithm u32) · flags (u32) · algorithm (u32) · signature
 */
export function parseLineage(signer: Signer): Buffer[] {
  const proof = signer.attributes.get(rotationAttribute)
  if (!proof) return []
  const reader = new LengthPrefixed(proof)
  reader.uint32()
  const certificates: Buffer[] = []
  while (!reader.isAtEnd && certificates.length < maxLineage) {
    certificates.push(new LengthPrefixed(new LengthPrefixed(reader.field()).field()).field())
  }
  return certificates
}
