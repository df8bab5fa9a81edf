import type { AppIcon } from '../app-info.ts'
import { findImageFormat } from '../icon/image-format.ts'
import { isPlainPath } from '../identifier.ts'
import { isPlistDictionary, type PlistDictionary, type PlistValue } from '../plist/plist-value.ts'
import type { ZipEntry } from '../zip/directory.ts'
import type { ZipArchive } from '../zip/zip.ts'

const maxCandidates = 32

/** Finds the largest icon file that Info.plist names, including its variants `@2x`, `@3x` and `~ipad`. */
export function findAppIcon(ipa: ZipArchive, folder: string, info: PlistDictionary): AppIcon | null {
  if (!isPlainPath(folder)) return null
  const names = [...new Set(listIconNames(info).map(withoutExtension))].filter((name) => name !== '')
  const named = ipa.entries.filter((entry) => names.some((name) => isVariant(entry.name, folder + name)))
  const conventional = ipa.entries.filter((entry) => isConventional(entry.name, folder))
  const [largest] = [...measure(ipa, named), ...measure(ipa, named.length > 0 ? [] : conventional)].sort(
    (a, b) => b.width - a.width,
  )
  if (largest) return { kind: 'image', path: largest.entry.name, format: 'png' }
  return findArtwork(ipa)
}

/** Finds the large artwork that ad hoc builds may carry beside the app: PNG or JPEG, without a file extension. */
function findArtwork(ipa: ZipArchive): AppIcon | null {
  const entry = ipa.findEntry('iTunesArtwork@2x') ?? ipa.findEntry('iTunesArtwork')
  const format = entry && findImageFormat(ipa.readEntryStart(entry, 64))
  return entry && format ? { kind: 'image', path: entry.name, format } : null
}

/** Lists names from CFBundleIcons (and ~ipad) → CFBundlePrimaryIcon → CFBundleIconFiles, then from the older keys. */
function listIconNames(info: PlistDictionary): string[] {
  const names: (PlistValue | undefined)[] = []
  for (const key of ['CFBundleIcons', 'CFBundleIcons~ipad']) {
    const icons = info[key]
    const primary = isPlistDictionary(icons) ? icons['CFBundlePrimaryIcon'] : undefined
    if (!isPlistDictionary(primary)) continue
    const files = primary['CFBundleIconFiles']
    if (Array.isArray(files)) names.push(...files.slice(0, maxCandidates))
    names.push(primary['CFBundleIconName'])
  }
  const files = info['CFBundleIconFiles']
  if (Array.isArray(files)) names.push(...files.slice(0, maxCandidates))
  names.push(info['CFBundleIconFile'])
  return names.filter((name) => typeof name === 'string')
}

function withoutExtension(name: string): string {
  return name.replace(/\.png$/i, '')
}

/**
 * Matches `start`, then suffixes such as `@2x` and `~ipad`, then `.png`. The name is compared as a string rather than
 * put in a pattern, because it may contain any character.
 */
function isVariant(path: string, start: string): boolean {
  return (
    path.startsWith(start) &&
    /^(@\dx)?(~[a-z]{1,10})?(@\dx)?(\.png)?$/.test(path.slice(start.length, start.length + 40))
  )
}

function isConventional(path: string, folder: string): boolean {
  return path.startsWith(folder) && /^(AppIcon|Icon)[^/]*\.png$/i.test(path.slice(folder.length))
}

function measure(ipa: ZipArchive, entries: ZipEntry[]): { entry: ZipEntry; width: number }[] {
  return entries.slice(0, maxCandidates).flatMap((entry) => {
    const start = ipa.readEntryStart(entry, 64)
    return findImageFormat(start) === 'png' ? [{ entry, width: readWidth(start) }] : []
  })
}

/** Reads the width from IHDR, which is the first chunk, or the second after Apple's CgBI. */
function readWidth(start: Buffer): number {
  const at = start.toString('latin1', 12, 16) === 'CgBI' ? 28 : 12
  return start.length >= at + 8 && start.toString('latin1', at, at + 4) === 'IHDR' ? start.readUInt32BE(at + 4) : 0
}
