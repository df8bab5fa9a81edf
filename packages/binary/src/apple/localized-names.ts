import { BinaryError } from '../binary-error.ts'
import { clipText } from '../identifier.ts'
import { parsePlist } from '../plist/plist.ts'
import { isPlistDictionary, type PlistValue } from '../plist/plist-value.ts'
import { parseStringsFile } from '../plist/strings-file.ts'
import type { ZipEntry } from '../zip/directory.ts'
import type { ZipArchive } from '../zip/zip.ts'

const maxStringsBytes = 128 * 1024
const maxTableBytes = 1024 * 1024
const maxLocales = 200
/** Limit for all translations together. */
const maxBytes = 2 * 1024 * 1024

/**
 * Reads the app's name by locale, from `<locale>.lproj/InfoPlist.strings` and from `InfoPlist.loctable`, the table that
 * newer tools write.
 */
export function readLocalizedNames(ipa: ZipArchive, folder: string, warnings: string[]): Record<string, string> {
  const names = new Map<string, string>()
  const add = (locale: string, strings: PlistValue | undefined) => {
    if (!isPlistDictionary(strings)) return
    const name = strings['CFBundleDisplayName'] ?? strings['CFBundleName']
    if (typeof name === 'string' && name !== '') names.set(locale.replaceAll('_', '-'), clipText(name))
  }
  const attempt = (what: string, read: () => void) => {
    try {
      read()
    } catch (error) {
      if (!(error instanceof BinaryError)) throw error
      warnings.push(`The translation ${what} could not be read: ${error.message}`)
    }
  }

  let bytesLeft = maxBytes
  for (const entry of ipa.entries) {
    if (!entry.name.startsWith(folder)) continue
    const path = entry.name.slice(folder.length)
    const [, locale] = /^([A-Za-z0-9_-]{2,40})\.lproj\/InfoPlist\.strings$/.exec(path) ?? []
    if (
      locale !== undefined &&
      locale !== 'Base' &&
      names.size < maxLocales &&
      (bytesLeft -= entry.uncompressedSize) >= 0
    ) {
      attempt(locale, () => add(locale, readStrings(ipa, entry)))
    } else if (path === 'InfoPlist.loctable') {
      attempt('table', () => readTable(ipa, entry).forEach(([locale, strings]) => add(locale, strings)))
    }
  }
  return Object.fromEntries([...names].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function readTable(ipa: ZipArchive, entry: ZipEntry): [locale: string, strings: PlistValue][] {
  const table = parsePlist(ipa.readEntry(entry, maxTableBytes))
  if (!isPlistDictionary(table)) return []
  const isLocale = ([name]: [string, PlistValue]) => /^[A-Za-z0-9_-]{2,40}$/.test(name)
  return Object.entries(table).filter(isLocale).slice(0, maxLocales)
}

function readStrings(ipa: ZipArchive, entry: ZipEntry): PlistValue {
  const bytes = ipa.readEntry(entry, maxStringsBytes)
  const isList = bytes.subarray(0, 6).equals(Buffer.from('bplist')) || bytes.toString('latin1', 0, 64).includes('<?xml')
  return isList ? parsePlist(bytes) : parseStringsFile(bytes)
}
