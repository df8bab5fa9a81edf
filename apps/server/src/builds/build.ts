import type { Build, Platform, SymbolsCoverage } from '@fairlead/contract'
import { parseJsonText } from '../db/json-text.ts'
import type { Row } from '../db/schema.ts'
import { toIconUrl, toInstallUrl } from '../links/install-url.ts'
import { toInstant } from '../http/instant.ts'
import { spellMissing } from './coverage.ts'
import { findProfileEnd } from './install-obstacles.ts'
import { describeWarnings } from './warnings.ts'

/** A build row joined with what other tables hold about the build. */
export interface BuildRecord extends Row<'builds'> {
  alias: string
  platform: Platform
  sha256: string
  groups: { id: number; name: string; distributed_at: number }[]
  symbols: SymbolsCoverage | null
  /** Over PostgreSQL: differs when anything differs that the answer about the build is made of; see `buildVersion`. */
  version_text?: string
}

export function isExpired(build: { expires_at: number }, now = Date.now()): boolean {
  return build.expires_at <= now
}

/**
 * Returns when the JSON of a build becomes outdated by itself, in epoch milliseconds: when its link or its provisioning
 * profile expires. Read this before rendering the build, so that a build that expires in between is not kept.
 */
export function changesAt(build: Pick<BuildRecord, 'expires_at' | 'details'>): number {
  const ends = [build.expires_at, findProfileEnd(parseJsonText(build.details))]
  const now = Date.now()
  return Math.min(...ends.filter((end) => end > now))
}

export function toBuild(record: BuildRecord, baseUrl: string): Build {
  const details = parseJsonText(record.details)
  return {
    id: record.id,
    shortVersion: record.short_version,
    version: record.version,
    bundleIdentifier: record.bundle_identifier,
    installUrl: toInstallUrl(record, baseUrl),
    expirationDate: toInstant(record.expires_at),
    number: record.number,
    applicationId: record.application_id,
    applicationAlias: record.alias,
    platform: record.platform,
    name: record.name,
    fileName: record.file_name,
    size: record.size,
    sha256: record.sha256,
    uploadedDate: toInstant(record.uploaded_at),
    uploadedBy: record.uploaded_by,
    isExpired: isExpired(record),
    isPinned: record.pinned_at !== null,
    releaseNotes: record.release_notes,
    minOsVersion: record.min_os_version,
    targetOsVersion: record.target_os_version,
    iconUrl: record.icon_blob_id === null ? null : toIconUrl(record, baseUrl),
    downloadUrl: `${baseUrl}/v1/builds/${record.id}/binary`,
    distributionGroups: record.groups.map((group) => ({
      id: group.id,
      name: group.name,
      distributedDate: toInstant(group.distributed_at),
    })),
    signing: details.signing,
    source: toSource(record),
    symbols: spellMissing(record.symbols, record.platform),
    installCount: record.install_count,
    permissions: details.permissions,
    architectures: details.architectures,
    debuggable: details.debuggable,
    ...describeWarnings({ ...record, details }, Date.now()),
  }
}

function toSource(record: BuildRecord): Build['source'] {
  const { source_branch: branch, source_commit: commit, source_ci_url: ciUrl } = record
  return branch === null && commit === null && ciUrl === null ? null : { branch, commit, ciUrl }
}
