import type { Signing, SigningCertificate } from '../app-info.ts'
import { BinaryError } from '../binary-error.ts'
import { describeCertificate, hashCertificate } from '../certificate.ts'
import { withinBounds } from '../within-bounds.ts'
import type { ZipArchive } from '../zip/zip.ts'
import { type JarSignatures, readJarSignatures } from './jar-signature.ts'
import { parseLineage, parseSigners, type Signer } from './signers.ts'
import { blockId, type BlockScheme, blockSchemes, findSigningBlock, type SigningBlock } from './signing-block.ts'
import { verifySigners } from './verify-signers.ts'

/** Id of the v2 signer attribute that names the newer scheme the APK must also carry. */
const strippingAttribute = 0xbeeff00d

interface SchemeSigners {
  scheme: BlockScheme
  signers: Signer[]
}

/**
 * Reads every signature scheme and certificate of an APK. A damaged signature becomes a warning. With `verify`, the
 * whole file is read once.
 */
export async function readSigning(apk: ZipArchive, warnings: string[], verify: boolean): Promise<Signing> {
  const read = <T>(fallback: T, reader: () => T): T => attempt(fallback, warnings, reader)
  const block = read(undefined, () => findSigningBlock(apk))
  const schemes = read<SchemeSigners[]>([], () => (block ? parseSchemes(block) : []))
  const jar = read<JarSignatures>({ certificates: [], promised: [] }, () => readJarSignatures(apk))
  const certificates = describe(schemes, jar)
  const signing: Signing = {
    integrity: certificates.length === 0 && schemes.length === 0 ? 'none' : 'extracted',
    certificates,
    lineage: read([], () => schemes.flatMap(({ signers }) => signers.flatMap(parseLineage))).map(hashCertificate),
    blockIds: (block?.pairs ?? []).map(({ id }) => `0x${id.toString(16).padStart(8, '0')}`),
    profile: null,
  }
  const faults = findStripped(schemes, jar)
  if (faults.length > 0) signing.integrity = 'broken'
  if (verify && block && schemes.length > 0) {
    const signers = schemes.flatMap(({ signers }) => signers)
    faults.push(...(await verifySigners(apk, block.offset, signers)))
    signing.integrity = faults.length === 0 && signers.length > 0 ? 'verified' : 'broken'
  }
  warnings.push(...faults)
  return signing
}

function parseSchemes(block: SigningBlock): SchemeSigners[] {
  return blockSchemes.flatMap((scheme) => {
    const pair = block.pairs.find(({ id }) => id === blockId[scheme])
    return pair ? [{ scheme, signers: parseSigners(pair.value, scheme) }] : []
  })
}

function describe(schemes: SchemeSigners[], jar: JarSignatures): SigningCertificate[] {
  const ofBlock = schemes.flatMap(({ scheme, signers }) =>
    signers.flatMap(({ certificates }) => certificates.slice(0, 1).map((der) => describeCertificate(scheme, der))),
  )
  return [...jar.certificates.map((der) => describeCertificate('v1', der)), ...ofBlock]
}

/** Finds schemes that a signer declares but the file lacks, because a declared scheme may have been stripped. */
function findStripped(schemes: SchemeSigners[], jar: JarSignatures): string[] {
  const there = new Set<number>(schemes.map(({ scheme }) => (scheme === 'v2' ? 2 : 3)))
  const promised = schemes.flatMap(({ scheme, signers }) =>
    scheme === 'v2' ? signers.flatMap(({ attributes }) => readScheme(attributes.get(strippingAttribute))) : [],
  )
  // Android enforces only schemes 2 and 3 of those that v1 declares, and only if neither is present.
  if (there.size === 0) promised.push(...jar.promised.filter((number) => number === 2 || number === 3))
  const missing = promised.filter((number) => !there.has(number))
  return [...new Set(missing)].map(
    (number) => `The signature of scheme v${number} has been taken out: Android refuses it.`,
  )
}

function readScheme(value: Buffer | undefined): number[] {
  return value && value.length >= 4 ? [value.readUInt32LE(0)] : []
}

function attempt<T>(fallback: T, warnings: string[], read: () => T): T {
  try {
    return withinBounds('malformed-signature', read)
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error
    warnings.push(error.message)
    return fallback
  }
}
