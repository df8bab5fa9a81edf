import type { AppInfo } from '@fairlead/binary'
import { toCleanName } from '@fairlead/contract'
import type { BuildDetails } from '../db/schema/build-details.ts'
import { limitDetails } from './limit-details.ts'
import { toJsonText } from '../db/json-text.ts'

/** Facts about a binary from the headers of its upload. */
export interface UploadHeaders {
  fileName: string | null
  source: { branch: string | null; commit: string | null; ciUrl: string | null }
}

/** Maps the facts of a binary and of its upload to the columns of a build row. */
export function toColumns(app: AppInfo, { source, fileName }: UploadHeaders) {
  const details: Required<BuildDetails> = {
    signing: toSigning(app),
    permissions: app.permissions,
    architectures: app.architectures,
    debuggable: app.debuggable,
    warnings: app.warnings,
    limits: {
      isPartOfApp: app.split !== null || app.needsSplits,
      isTestOnly: app.isTestOnly,
      isForSimulator: app.isForSimulator,
      deviceFamilies: app.deviceFamilies,
    },
  }
  const shortVersion = toColumnText(app.shortVersion ?? app.version ?? '')
  const version = toColumnText(app.version ?? app.shortVersion ?? '')
  const name = toColumnText(app.name)
  return {
    short_version: shortVersion,
    version,
    bundle_identifier: app.bundleIdentifier,
    name,
    file_name: fileName ?? `${name}-${shortVersion}-${version}.${app.platform === 'android' ? 'apk' : 'ipa'}`,
    min_os_version: app.minOsVersion === null ? null : toColumnText(app.minOsVersion),
    target_os_version: app.targetOsVersion === null ? null : toColumnText(app.targetOsVersion),
    details: toJsonText(limitDetails(details)),
    source_branch: source.branch,
    source_commit: source.commit,
    source_ci_url: source.ciUrl,
  }
}

/** Names from a binary are untrusted text, shown in pages, mails and file names. */
function toColumnText(text: string): string {
  return toCleanName(text)
}

/** Returns null when the binary carries no signature at all. */
function toSigning({ signing }: AppInfo): BuildDetails['signing'] {
  const { integrity, certificates, profile } = signing
  if (integrity === 'none' && certificates.length === 0 && profile === null) return null
  return {
    integrity,
    certificates,
    profile: profile && {
      type: profile.type,
      name: profile.name,
      teamId: profile.teamId,
      teamName: profile.teamName,
      expirationDate: profile.expirationDate,
      deviceCount: profile.deviceCount,
    },
  }
}
