import type { Client } from '@fairlead/client'
import type { Io } from '../io.ts'
import { toShownText } from './shown-text.ts'
import { formatBytes, formatInstant } from './units.ts'
import { writeFields, writeLine } from './write.ts'

export type Build = Awaited<ReturnType<Client['builds']['get']>>

/** Formats a version as stores show it: `1.2 (34)`. */
export function toVersion({ shortVersion, version }: { shortVersion: string; version: string }): string {
  return `${shortVersion} (${version})`
}

/** Writes the fields of a build for people. */
export function writeBuild(io: Io, build: Build): void {
  const { source, symbols, signing } = build
  writeFields(io, [
    ['Build', build.id],
    ['App', `${build.name} (${build.applicationAlias})`],
    ['Version', toVersion(build)],
    ['Identifier', build.bundleIdentifier],
    ['File', `${build.fileName}, ${formatBytes(build.size)}`],
    ['SHA-256', build.sha256],
    ['Uploaded', `${formatInstant(build.uploadedDate)} by ${build.uploadedBy}`],
    ['Expires', `${formatInstant(build.expirationDate)}${build.isExpired ? ' (expired)' : ''}`],
    ['Groups', build.distributionGroups.map(({ name }) => name).join(', ')],
    ['Installs', build.installCount],
    ['Branch', source?.branch ?? null],
    ['Commit', source?.commit ?? null],
    ['CI job', source?.ciUrl ?? null],
    [
      'OS',
      [build.minOsVersion && `from ${build.minOsVersion}`, build.targetOsVersion && `made for ${build.targetOsVersion}`]
        .filter(Boolean)
        .join(', '),
    ],
    ['Architectures', build.architectures.join(', ')],
    ['Signature', signing && [signing.integrity, signing.profile?.type].filter(Boolean).join(', ')],
    ['Symbols', symbols && `${symbols.present} of ${symbols.expected} images`],
    ['Warnings', build.warnings.join(' ')],
    ['Install', build.installUrl],
  ])
  if (build.releaseNotes !== null) writeLine(io, `\n${toShownText(build.releaseNotes)}`)
}
