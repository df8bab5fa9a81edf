import type { BuildRecord } from '../builds/build.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { findHigherBuild, listGivenBuilds, type OtherBuild } from './store.ts'
import { parseJsonText } from '../db/json-text.ts'

/** Other builds of the application that Android would refuse to replace with this build. */
export interface OtherBuilds {
  /** The one with the highest version code, if that is above this build's. */
  higher: OtherBuild | null
  /** The newest one that shares no signer with this build. */
  otherSigner: OtherBuild | null
}

/** How many of the newest builds are compared by signer. */
const signerLimit = 50

/** Considers the builds that testers may have: those distributed to a group or downloaded at least once. */
export async function findOtherBuilds({ db }: Pick<AppContext, 'db'>, build: BuildRecord): Promise<OtherBuilds> {
  if (build.platform !== 'android') return { higher: null, otherSigner: null }
  return { higher: (await findHigherBuild(db, build)) ?? null, otherSigner: await findOtherSigner(db, build) }
}

/**
 * Android replaces a build only by one with a common signer. A debug-signed build is compared with the newest
 * release-signed one; others only with the newest build, because a team may change its key on purpose.
 */
async function findOtherSigner(db: Db, build: BuildRecord): Promise<OtherBuild | null> {
  const own = readSigners(build.details)
  if (own.digests.size === 0) return null
  const rows = await listGivenBuilds(db, build, signerLimit)
  const others = rows
    .map((row) => ({ row, signers: readSigners(row.details) }))
    .filter((o) => o.signers.digests.size > 0)
  const isForeign = (other: (typeof others)[number]) => own.digests.isDisjointFrom(other.signers.digests)
  const newest = others.slice(0, 1).find(isForeign)
  const release = own.isDebug ? others.find((other) => !other.signers.isDebug && isForeign(other)) : undefined
  const found = (release ?? newest)?.row
  return found ? { short_version: found.short_version, version: found.version } : null
}

function readSigners(details: BuildRecord['details']): { digests: Set<string>; isDebug: boolean } {
  const certificates = parseJsonText(details).signing?.certificates ?? []
  return {
    digests: new Set(certificates.map((certificate) => certificate.sha256)),
    isDebug: isDebugSigned(certificates),
  }
}

/** Android's build tools create the debug key on each machine, always under this name. */
export function isDebugSigned(certificates: { subject: string | null }[]): boolean {
  return certificates.length > 0 && certificates.every(({ subject }) => subject?.includes('CN=Android Debug') === true)
}
