import { createPublicKey, X509Certificate } from 'node:crypto'
import { readDer, readDerChildren } from '../der.ts'
import type { ZipArchive } from '../zip/zip.ts'
import { digestContents, type HashName } from './content-digest.ts'
import { isSignatureValid, type SignatureAlgorithm, signatureAlgorithms } from './signature-algorithm.ts'
import type { Signer } from './signers.ts'

interface ChosenAlgorithm extends SignatureAlgorithm {
  id: number
  signature: Buffer
}

/** Returns one sentence per fault of the signers; the list is empty if the signatures and digests match the file. */
export async function verifySigners(apk: ZipArchive, blockOffset: number, signers: Signer[]): Promise<string[]> {
  const faults: string[] = []
  const chosen = signers.map((signer) => {
    const algorithm = chooseAlgorithm(signer)
    const fault = algorithm === undefined ? 'uses no signature algorithm that is known' : findFault(signer, algorithm)
    if (fault !== undefined) faults.push(`A signer ${fault}.`)
    return { signer, algorithm }
  })
  const names = chosen.map(({ algorithm }) => algorithm?.hash)
  const digests = await digestContents(apk, blockOffset, [...new Set(names.filter((name) => name !== undefined))])
  for (const { signer, algorithm } of chosen) {
    if (algorithm !== undefined && !hasDigest(signer, algorithm, digests)) {
      faults.push('The contents are not what was signed: they were changed afterwards.')
    }
  }
  return [...new Set(faults)]
}

/** Chooses the strongest supported algorithm as Android does: SHA-512 before SHA-256. */
function chooseAlgorithm({ signatures }: Signer): ChosenAlgorithm | undefined {
  const known = [...signatures].flatMap(([id, signature]) => {
    const algorithm = signatureAlgorithms.get(id)
    return algorithm ? [{ id, signature, ...algorithm }] : []
  })
  return known.find(({ hash }) => hash === 'sha512') ?? known[0]
}

function findFault(signer: Signer, algorithm: ChosenAlgorithm): string | undefined {
  const { signedData, publicKey, signatures, digests, certificates } = signer
  if (!isSignatureValid(algorithm, signedData, publicKey, algorithm.signature)) {
    return 'has a signature that is not valid'
  }
  if ([...signatures.keys()].join() !== [...digests.keys()].join()) return 'signs other digests than it lists'
  const [certificate] = certificates
  if (!certificate) return 'has no certificate'
  return hasPublicKey(certificate, publicKey) ? undefined : 'has a certificate of another key'
}

function hasPublicKey(certificate: Buffer, publicKey: Buffer): boolean {
  try {
    const own = createPublicKey({ key: publicKey, format: 'der', type: 'spki' })
    return new X509Certificate(certificate).publicKey.equals(own)
  } catch {
    return readPublicKey(certificate)?.equals(publicKey) ?? false
  }
}

/**
 * Finds the public key (SubjectPublicKeyInfo), the seventh field of TBSCertificate, in a certificate that OpenSSL
 * cannot parse.
 */
function readPublicKey(certificate: Buffer): Buffer | undefined {
  try {
    const [body] = readDerChildren(readDer(certificate))
    return body && readDerChildren(body)[6]?.bytes
  } catch {
    return undefined
  }
}

function hasDigest({ digests }: Signer, { id, hash }: ChosenAlgorithm, computed: Map<HashName, Buffer>): boolean {
  const digest = computed.get(hash)
  return digest !== undefined && (digests.get(id)?.equals(digest) ?? false)
}
