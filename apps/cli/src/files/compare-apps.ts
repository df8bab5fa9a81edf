import { type AppInfo, openZip } from '@fairlead/binary'
import { readAppFile } from './read-app-file.ts'

/** A difference between two builds. */
export interface Difference {
  field: string
  before: string | null
  after: string | null
}

export interface FileChange {
  path: string
  /** Compressed size in each build in bytes; null if the build does not have the file. */
  before: number | null
  after: number | null
}

export interface AppComparison {
  before: { path: string; size: number }
  after: { path: string; size: number }
  differences: Difference[]
  /** Files of another size or content, sorted by the change of size, largest first. */
  files: FileChange[]
}

/** Compares the metadata and the files of two builds on disk. Throws `CliError` if one is no app. */
export async function compareApps(before: string, after: string): Promise<AppComparison> {
  const [old, next] = [await readAppFile(before, before), await readAppFile(after, after)]
  return {
    before: { path: before, size: sizeOf(before) },
    after: { path: after, size: sizeOf(after) },
    differences: listDifferences(toFields(old), toFields(next)),
    files: compareFiles(before, after),
  }
}

/** Lists the fields whose values differ. */
export function listDifferences(
  before: Readonly<Record<string, string | null>>,
  after: Readonly<Record<string, string | null>>,
): Difference[] {
  return Object.keys({ ...before, ...after }).flatMap((field) => {
    const [old, next] = [before[field] ?? null, after[field] ?? null]
    return old === next ? [] : [{ field, before: old, after: next }]
  })
}

function toFields(app: AppInfo): Record<string, string | null> {
  const { signing } = app
  return {
    Name: app.name,
    Identifier: app.bundleIdentifier,
    'Short version': app.shortVersion,
    Version: app.version,
    'Minimum OS': app.minOsVersion,
    'Target OS': app.targetOsVersion,
    Architectures: app.architectures.join(', '),
    Permissions: app.permissions.join(', '),
    Debuggable: String(app.debuggable),
    Signature: signing.integrity,
    Certificates: [...new Set(signing.certificates.map(({ sha256 }) => sha256))].join(', '),
    Profile: signing.profile && `${signing.profile.type} ${signing.profile.name ?? ''}`.trim(),
    'Profile ends': signing.profile?.expirationDate ?? null,
  }
}

function sizeOf(path: string): number {
  using archive = openZip(path, { onOddity: () => {} })
  return archive.source.size
}

interface Entry {
  size: number
  crc32: number
}

function compareFiles(before: string, after: string): FileChange[] {
  const [old, next] = [listEntries(before), listEntries(after)]
  const changes: FileChange[] = []
  for (const [path, entry] of old) {
    const other = next.get(path)
    if (other?.size === entry.size && other.crc32 === entry.crc32) continue
    changes.push({ path, before: entry.size, after: other?.size ?? null })
  }
  for (const [path, entry] of next) if (!old.has(path)) changes.push({ path, before: null, after: entry.size })
  return changes.toSorted((a, b) => Math.abs(growth(b)) - Math.abs(growth(a)) || (a.path < b.path ? -1 : 1))
}

export function growth({ before, after }: FileChange): number {
  return (after ?? 0) - (before ?? 0)
}

/** Removes the name of the app's folder, which may contain a version, so that files of two builds match. */
function listEntries(path: string): Map<string, Entry> {
  using archive = openZip(path, { onOddity: () => {} })
  return new Map(
    archive.entries.map(({ name, compressedSize, crc32 }) => [
      name.replace(/^Payload\/[^/]+\.app\//, 'Payload/*.app/'),
      { size: compressedSize, crc32 },
    ]),
  )
}
