import type { DeviceFamily } from '@fairlead/binary'
import type { Build, Platform, Signing, SymbolsCoverage } from '@fairlead/contract'
import type { Row } from '../db/schema.ts'
import { toIconUrl, toInstallUrl } from '../links/install-url.ts'
import { toInstant } from '../http/instant.ts'

/** What was read of a binary and is shown, but never searched: one JSON text in the row. */
export interface BuildDetails {
  signing: Signing | null
  permissions: string[]
  architectures: string[]
  debuggable: boolean
  warnings: string[]
  limits: InstallLimits
}

/** What keeps a binary from being installed where its platform alone would let it. */
export interface InstallLimits {
  isPartOfApp: boolean
  isTestOnly: boolean
  isForSimulator: boolean
  /** Empty where the binary does not say. */
  deviceFamilies: DeviceFamily[]
}

/** A build with what other tables say of it. */
export interface BuildRecord extends Row<'builds'> {
  alias: string
  platform: Platform
  size: number
  sha256: string
  groups: { id: number; name: string; distributed_at: number }[]
  symbols: SymbolsCoverage | null
}

export function isExpired(build: { expires_at: number }, now = Date.now()): boolean {
  return build.expires_at <= now
}

/** When what is said of a build changes by itself. To be asked before it is said. */
export function changesAt(build: { expires_at: number }): number {
  return isExpired(build) ? Infinity : build.expires_at
}

export function toBuild(record: BuildRecord, baseUrl: string): Build {
  const details = JSON.parse(record.details) as BuildDetails
  return {
    id: record.id,
    shortVersion: record.short_version,
    version: record.version,
    bundleIdentifier: record.bundle_identifier,
    installUrl: toInstallUrl(record, baseUrl),
    expirationDate: toInstant(record.expires_at),
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
    symbols: record.symbols,
    installCount: record.install_count,
    permissions: details.permissions,
    architectures: details.architectures,
    debuggable: details.debuggable,
    warnings: details.warnings,
  }
}

function toSource(record: BuildRecord): Build['source'] {
  const { source_branch: branch, source_commit: commit, source_ci_url: ciUrl } = record
  return branch === null && commit === null && ciUrl === null ? null : { branch, commit, ciUrl }
}
