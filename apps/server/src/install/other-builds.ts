import { sql } from 'kysely'
import type { BuildDetails, BuildRecord } from '../builds/build.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'

/** A build that a tester may already have on the phone. */
export interface OtherBuild {
  short_version: string
  version: string
}

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
  return { higher: await findHigher(db, build), otherSigner: await findOtherSigner(db, build) }
}

function selectGiven(db: Db, build: BuildRecord) {
  return db
    .selectFrom('builds')
    .where('application_id', '=', build.application_id)
    .where('bundle_identifier', '=', build.bundle_identifier)
    .where('id', '!=', build.id)
    .where((where) =>
      where.or([
        where('install_count', '>', 0),
        where.exists(
          where.selectFrom('build_groups').select('build_id').whereRef('build_groups.build_id', '=', 'builds.id'),
        ),
      ]),
    )
}

/**
 * Version codes are decimal without leading zeros, so a longer one is higher, and equally long ones compare as text.
 */
async function findHigher(db: Db, build: BuildRecord): Promise<OtherBuild | null> {
  const { version } = build
  const found = await selectGiven(db, build)
    .select(['short_version', 'version'])
    .where((where) =>
      where.or([
        where(sql<number>`length(version)`, '>', version.length),
        where.and([where(sql<number>`length(version)`, '=', version.length), where('version', '>', version)]),
      ]),
    )
    .orderBy(sql`length(version)`, 'desc')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found ?? null
}

/**
 * Android replaces a build only by one with a common signer. A debug-signed build is compared with the newest
 * release-signed one; others only with the newest build, because a team may change its key on purpose.
 */
async function findOtherSigner(db: Db, build: BuildRecord): Promise<OtherBuild | null> {
  const own = readSigners(build.details)
  if (own.digests.size === 0) return null
  const rows = await selectGiven(db, build)
    .select(['short_version', 'version', 'details'])
    .orderBy('id', 'desc')
    .limit(signerLimit)
    .execute()
  const others = rows
    .map((row) => ({ row, signers: readSigners(row.details) }))
    .filter((o) => o.signers.digests.size > 0)
  const isForeign = (other: (typeof others)[number]) => own.digests.isDisjointFrom(other.signers.digests)
  const newest = others.slice(0, 1).find(isForeign)
  const release = own.isDebug ? others.find((other) => !other.signers.isDebug && isForeign(other)) : undefined
  const found = (release ?? newest)?.row
  return found ? { short_version: found.short_version, version: found.version } : null
}

function readSigners(details: string): { digests: Set<string>; isDebug: boolean } {
  const certificates = (JSON.parse(details) as BuildDetails).signing?.certificates ?? []
  return {
    digests: new Set(certificates.map((certificate) => certificate.sha256)),
    isDebug: isDebugSigned(certificates),
  }
}

/** Android's build tools create the debug key on each machine, always under this name. */
export function isDebugSigned(certificates: { subject: string | null }[]): boolean {
  return certificates.length > 0 && certificates.every(({ subject }) => subject?.includes('CN=Android Debug') === true)
}
